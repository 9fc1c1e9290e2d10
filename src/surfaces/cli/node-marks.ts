/** How the state of a node looks, in runs as in graphs. */
import type { NodeState } from "../../contract/index.ts";
import type { Tone } from "./output.ts";

export const nodeMarks: Readonly<Record<NodeState, readonly [mark: string, tone: Tone]>> = {
  pending: ["·", "dim"],
  queued: ["·", "dim"],
  running: ["▸", "cyan"],
  blocked: ["‖", "yellow"],
  succeeded: ["✔", "green"],
  failed: ["✘", "red"],
  skipped: ["–", "dim"],
  cancelled: ["–", "dim"],
};
