/** Shorthands for tests of work items. */
import { expect } from "vitest";
import {
  operations,
  parseInput,
  type DomainError,
  type InputOf,
  type OperationName,
  type RawInputOf,
  type WorkItem,
} from "../../contract/index.ts";
import type { AgentCall, ScratchPorts } from "../testkit.ts";
import { claimWorkItem, createWorkItem } from "./index.ts";

export function input<Name extends OperationName>(name: Name, raw: RawInputOf<Name>): InputOf<Name> {
  return parseInput(operations[name], raw);
}

export async function createItem(
  call: AgentCall,
  ports: ScratchPorts,
  terms: Partial<RawInputOf<"work-item.create">> = {},
): Promise<WorkItem> {
  const wanted = input("work-item.create", { title: "Rate-limit POST /orders", ...terms });
  return (await createWorkItem(wanted, call, ports)).workItem;
}

export async function claimNew(
  call: AgentCall,
  ports: ScratchPorts,
  terms: Partial<RawInputOf<"work-item.create">> = {},
): Promise<WorkItem> {
  const { id } = await createItem(call, ports, terms);
  return (await claimWorkItem(id, call, ports)).workItem;
}

export function refusalOf(asked: Promise<unknown>): Promise<DomainError> {
  return asked.then(
    () => expect.fail("it was granted"),
    (error: unknown) => error as DomainError,
  );
}
