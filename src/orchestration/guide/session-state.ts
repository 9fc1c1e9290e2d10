/** The memory of one session's router besides its routes: the phase of the conversation and the last dispatch. */
import type { RoleName } from "../../contract/index.ts";
import { defined } from "../../platform/defined.ts";
import type { DispatchReport } from "./delivery/hook-chain.ts";

export type DispatchRecord = Pick<DispatchReport["request"], "id" | "from" | "to" | "type" | "at"> &
  Pick<DispatchReport, "status" | "ms"> & { readonly decision?: unknown };

export type SessionState = {
  turns: number;
  lastTarget: RoleName | undefined;
  lastIntent: string | undefined;
  /** Newest last, a hundred at the most. */
  dispatched: readonly DispatchRecord[];
};

const mostRecords = 100;

export const freshState = (): SessionState => ({
  turns: 0,
  lastTarget: undefined,
  lastIntent: undefined,
  dispatched: [],
});

export function keepRecord(state: SessionState, { request, status, ms }: DispatchReport): void {
  const { id, from, to, type, at, metadata } = request;
  const { decision } = metadata;
  const record = { id, from, to, type, at, status, ms, ...defined({ decision }) };
  state.dispatched = [...state.dispatched.slice(1 - mostRecords), record];
}
