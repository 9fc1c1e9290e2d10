/**
 * One agent under load: creates, claims, closes, reserves and gives back, one call after the other, and contends with
 * the others for the same items and files. A call without an answer is repeated with its key when the gate opens again.
 */
import { DomainError, type AgentId, type ReservationId, type WorkItemId } from "../../src/contract/index.ts";
import type { SylkClient } from "../../src/surfaces/client/index.ts";
import type { Call, CallOf, TriedOperation } from "./kill-history.ts";
import type { Random } from "./random.ts";

/** Closed while the daemon is dead and its remains are looked at. */
export type Gate = { passed(): Promise<void> };

export type LoadTerms = {
  readonly name: string;
  readonly agent: AgentId;
  readonly client: SylkClient;
  /** For registrations, which an agent may not make. */
  readonly user: SylkClient;
  readonly repository: string;
  readonly random: Random;
  readonly gate: Gate;
  /** Work items that were created, seen by all clients. */
  readonly items: WorkItemId[];
  readonly record: (call: Call) => void;
  readonly onAnswer: () => void;
  readonly stopped: () => boolean;
};

const mostHeld = 8;
const contestedFiles = 6;

export async function runLoadClient(terms: LoadTerms): Promise<void> {
  const { name, agent, random, items, repository } = terms;
  const claimed: WorkItemId[] = [];
  const reserved: { readonly id: ReservationId; readonly path: string }[] = [];
  let turn = 0;

  while (!terms.stopped()) {
    const key = `${name}-${++turn}`;
    await oneOf(random, [
      [3, () => createItem(key)],
      [4, () => claimItem(key)],
      [2, () => closeItem(key)],
      [1, () => releaseItem(key)],
      [reserved.length < mostHeld ? 3 : 0, () => reserveFile(key)],
      [2, () => freeFile(key)],
      [0.2, () => registerAgent(key)],
    ]);
  }

  async function createItem(key: string): Promise<void> {
    const done = await settle(terms, { operation: "work-item.create", key, agent, input: { title: key } });
    if (done !== undefined) items.push(done.workItem.id);
  }

  async function claimItem(key: string): Promise<void> {
    if (items.length === 0) return createItem(key);
    // Mostly young ones, so that clients meet.
    const id = items[Math.max(0, items.length - random.between(1, 12))]!;
    if (claimed.includes(id)) return;
    const done = await settle(terms, { operation: "work-item.claim", key, agent, input: { id } });
    if (done !== undefined) claimed.push(id);
  }

  async function closeItem(key: string): Promise<void> {
    const id = claimed.shift();
    if (id === undefined) return claimItem(key);
    await settle(terms, { operation: "work-item.close", key, agent, input: { id, reason: key } });
  }

  async function releaseItem(key: string): Promise<void> {
    const id = claimed.pop();
    if (id === undefined) return createItem(key);
    await settle(terms, { operation: "work-item.release", key, agent, input: { id } });
  }

  async function reserveFile(key: string): Promise<void> {
    const contested = `shared/${random.between(1, contestedFiles)}.ts`;
    const path = random.next() < 0.5 ? contested : `own/${key}.ts`;
    if (reserved.some((held) => held.path === path)) return;
    const input = { paths: [path], reason: key };
    const done = await settle(terms, { operation: "reservation.acquire", key, agent, input });
    if (done !== undefined) reserved.push({ id: done.reservation.id, path });
  }

  async function freeFile(key: string): Promise<void> {
    const held = reserved.shift();
    if (held === undefined) return reserveFile(key);
    await settle(terms, { operation: "reservation.release", key, agent, input: { id: held.id } });
  }

  async function registerAgent(key: string): Promise<void> {
    const input = { sessionKey: key, client: "other", project: { path: repository }, name: key } as const;
    await settle(terms, { operation: "agent.register", key, agent, input });
  }
}

/** Undefined when the call was refused. */
async function settle<Name extends TriedOperation>(
  { client, user, gate, record, onAnswer }: LoadTerms,
  wanted: Omit<CallOf<Name>, "outcome">,
): Promise<(CallOf<Name>["outcome"] & { kind: "done" })["answer"] | undefined> {
  const call: CallOf<Name> = { ...wanted, outcome: { kind: "waiting" } };
  record(call as unknown as Call);
  const through = call.operation === "agent.register" ? user : client;
  for (;;) {
    await gate.passed();
    try {
      const answer = await through.call(call.operation, call.input, { idempotencyKey: call.key });
      call.outcome = { kind: "done", answer };
      onAnswer();
      return answer;
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      if (error.family === "unavailable") continue; // no answer: the same call again, with the same key
      if (error.family === "bug" || error.family === "invalid") throw error;
      call.outcome = { kind: "refused", code: error.code };
      onAnswer();
      return undefined;
    }
  }
}

async function oneOf(random: Random, choices: readonly (readonly [number, () => Promise<void>])[]): Promise<void> {
  let left = random.next() * choices.reduce((sum, [weight]) => sum + weight, 0);
  for (const [weight, act] of choices) {
    left -= weight;
    if (left < 0) return act();
  }
}
