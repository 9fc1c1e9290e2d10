/**
 * The shell prefix behind the client interface: `confine.pl ask` says where a command starts and for whom, as records that
 * end with NUL, and is told the words to put before it, a line each.
 */
import type { ClientAdapterV1 } from "../../contract/index.ts";
import { byWhom, factsIn } from "../commit-gate/index.ts";

export const shellPrefix: ClientAdapterV1 = {
  version: 1,
  name: "shell",
  tell: (_event, text) => text,
  readEvent(event, body) {
    if (event !== "start") return undefined;
    const facts = factsIn(body);
    return { kind: "shell", cwd: facts.get("tree") ?? "/", ...byWhom(facts) };
  },
};
