/** The fields of `_meta` by which clients name the session of a tool call. Codex sets no variable for the processes it starts. */
import type { CallSessionField } from "../../contract/index.ts";

export const callSessionFields: readonly CallSessionField[] = [
  { client: "codex", path: ["x-codex-turn-metadata", "session_id"] },
  // A bare sessionId could be any client's; beside a threadId it is Codex's.
  { client: "codex", path: ["sessionId"], beside: "threadId" },
];
