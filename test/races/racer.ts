/**
 * One racing agent on one keep-alive connection: each call is written down with the instants between which it took effect.
 *
 * The instants come from the kernel's monotonic clock (CLOCK_MONOTONIC), which all processes of one machine share and
 * nothing sets: what one process reads after another has answered is later. The first is read before the request is
 * written and the second after the answer was read, so an interval is at most too long, and a verdict never too strict.
 */
import { openConnection, type WireConnection } from "../../bench/load/wire-connection.ts";
import type { ClaimCall } from "./claim-model.ts";
import type { Timed } from "./linearize.ts";
import type { ReserveCall } from "./reserve-model.ts";

export type RacerIdentity = { readonly id: string; readonly token: string };
export type Keyed<Call> = { readonly key: string; readonly call: Call };
/** What a racer has seen. */
export type RaceLog = { readonly claims: Keyed<ClaimCall>[]; readonly reserves: Keyed<ReserveCall>[] };

type Body = {
  readonly workItem?: { readonly status: "open" | "in_progress" | "closed"; readonly owner?: { readonly id: string } };
  readonly lease?: { readonly fencingToken: number };
  readonly reservation?: { readonly id: string; readonly fencingToken: number; readonly mode: "shared" | "exclusive" };
  readonly items?: readonly [
    { readonly state: "free" | "yours" | "shared" | "taken"; readonly holder?: { readonly id: string } },
  ];
  readonly error?: { readonly code: string; readonly details?: { readonly holder?: { readonly id: string } } };
};

export type Racer = {
  claim(item: string): Promise<boolean>;
  giveUp(item: string, how: "release" | "unclaim"): Promise<void>;
  close(item: string): Promise<void>;
  read(item: string): Promise<void>;
  /** The id of the grant. */
  acquire(path: string, mode: "shared" | "exclusive"): Promise<string | undefined>;
  renew(path: string, id: string): Promise<void>;
  release(path: string, id: string): Promise<void>;
  check(path: string): Promise<void>;
  leave(): void;
};

export async function openRacer(
  socket: string,
  { id: agent, token }: RacerIdentity,
  log: () => RaceLog,
): Promise<Racer> {
  const connection = await openConnection({ socket });
  const call = (line: string, body = ""): Promise<Answered> => send(connection, token, line, body);
  const item = (id: string, verb: string): Promise<Answered> => call(`POST /v1/work-items/${id}/${verb}`);
  return {
    async claim(key) {
      const { body, ...timed } = await item(key, "claim");
      const said = body.lease === undefined ? refusal(body) : { token: body.lease.fencingToken };
      log().claims.push({ key, call: { ...timed, agent, do: "claim", said } });
      return body.lease !== undefined;
    },
    async giveUp(key, how) {
      const { body, ...timed } = await item(key, how);
      log().claims.push({ key, call: { ...timed, agent, do: how, said: doneOrLost(body) } });
    },
    async close(key) {
      const { body, ...timed } = await item(key, "close");
      log().claims.push({
        key,
        call: { ...timed, agent, do: "close", said: body.error === undefined ? "done" : refusal(body) },
      });
    },
    async read(key) {
      const { body, ...timed } = await call(`GET /v1/work-items/${key}`);
      const { status, owner } = body.workItem!;
      const said = { status, owner: owner?.id, token: body.lease?.fencingToken };
      log().claims.push({ key, call: { ...timed, agent, do: "read", said } });
    },
    async acquire(key, mode) {
      const { body, ...timed } = await call("POST /v1/reservations", JSON.stringify({ paths: [key], mode }));
      const { reservation } = body;
      const said =
        reservation === undefined
          ? { holder: holderOf(body, "reservation.conflict") }
          : { id: reservation.id, token: reservation.fencingToken, mode: reservation.mode };
      log().reserves.push({ key, call: { ...timed, agent, do: "acquire", mode, said } });
      return reservation?.id;
    },
    async renew(key, id) {
      const { body, ...timed } = await call(`POST /v1/reservations/${id}/renew`);
      const said = body.reservation === undefined ? lost(body) : { token: body.reservation.fencingToken };
      log().reserves.push({ key, call: { ...timed, agent, do: "renew", id, said } });
    },
    async release(key, id) {
      const { body, ...timed } = await call(`DELETE /v1/reservations/${id}`);
      log().reserves.push({ key, call: { ...timed, agent, do: "release", id, said: doneOrLost(body) } });
    },
    async check(key) {
      const { body, ...timed } = await call("POST /v1/reservations/check", JSON.stringify({ paths: [key] }));
      const { state, holder } = body.items![0];
      const said = state === "free" || state === "yours" ? state : { state, holder: holder!.id };
      log().reserves.push({ key, call: { ...timed, agent, do: "check", said } });
    },
    leave: () => connection.close(),
  };
}

type Answered = Timed & { readonly body: Body };

async function send(connection: WireConnection, token: string, line: string, body: string): Promise<Answered> {
  const type = body === "" ? "" : "content-type: application/json\r\n";
  const head = `${line} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${token}\r\n${type}content-length: ${body.length}\r\n\r\n`;
  const calledAt = microseconds();
  const answer = await connection.send(head + body);
  const answeredAt = microseconds() + 1; // rounded up, as the other was rounded down
  return { calledAt, answeredAt, body: JSON.parse(answer.body) as Body };
}

function microseconds(): number {
  return Number(process.hrtime.bigint() / 1000n); // clock-exempt: compared across processes, which no Clock port is
}

function refusal(body: Body): "closed" | { readonly holder: string } {
  return body.error?.code === "work-item.closed" ? "closed" : { holder: holderOf(body, "claim.taken") };
}

function holderOf({ error }: Body, code: string): string {
  if (error?.code !== code || error.details?.holder === undefined) throw unexpected(error);
  return error.details.holder.id;
}

function doneOrLost(body: Body): "done" | "lost" {
  return body.error === undefined ? "done" : lost(body);
}

function lost({ error }: Body): "lost" {
  if (error?.code !== "lease.lost") throw unexpected(error);
  return "lost";
}

function unexpected(error: Body["error"]): Error {
  return new Error(`an answer that no race can have: ${JSON.stringify(error)}`);
}
