/** What a prepared store holds, for those who make the load: agents with their tokens, and free work items. */
import { readFileSync, writeFileSync } from "node:fs";
import type { AgentId, WorkItemId } from "../../src/contract/index.ts";

export type Fleet = {
  readonly agents: readonly { readonly id: AgentId; readonly token: string }[];
  readonly items: readonly WorkItemId[];
};

export function readFleet(file: string): Fleet {
  return JSON.parse(readFileSync(file, "utf8")) as Fleet;
}

export function writeFleet(file: string, fleet: Fleet): void {
  writeFileSync(file, JSON.stringify(fleet), { mode: 0o600 });
}
