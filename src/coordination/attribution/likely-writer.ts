/** The likely author of a version, for local history: one agent, or none where several may have written it. */
import type { AgentRef, FileVersion } from "../../contract/index.ts";
import type { ToolCall } from "../guard/index.ts";
import { attribute, distinctAgents } from "./attribute.ts";

export type Writer = Pick<FileVersion, "knownBy"> & {
  readonly author: AgentRef | undefined;
  readonly command: string | undefined;
};

export function likelyWriter(path: string, at: number, calls: readonly ToolCall[]): Writer {
  const { basis, calls: around } = attribute(path, at, calls);
  const [author, ...others] = distinctAgents(around);
  if (author === undefined) return { author, knownBy: basis, command: undefined };
  if (others.length > 0) return { author: undefined, knownBy: "several", command: undefined };
  return { author, knownBy: basis, command: around.at(-1)!.command };
}
