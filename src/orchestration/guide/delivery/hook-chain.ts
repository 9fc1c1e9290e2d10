/**
 * Hooks around routing and dispatch.
 *
 *   pre-route -> decide -> post-route      pre-dispatch -> deliver -> post-dispatch
 *
 * The Guide's own hooks are in `session-hooks.ts`; roles add theirs by `Guide.addHook`.
 * Lower numbers run first. A pre-hook may change what it is given or abort with a reason, and one that fails or takes too
 * long aborts too; a post-hook only reports: its failure is told and changes nothing.
 */
import { DomainError, type Message, messageOf, type SessionId } from "../../../contract/index.ts";
import type { Clock } from "../../../platform/clock/index.ts";
import type { RouteDecision } from "../routing/decide-route.ts";

export type RouteRequest = {
  readonly session: SessionId;
  readonly text: string;
  readonly metadata: Readonly<Record<string, unknown>>;
};
export type DispatchReport = {
  readonly request: Message;
  readonly status: "completed" | "failed" | "expired" | "cancelled";
  readonly ms: number;
  readonly error?: string;
  /** Of a completed request. */
  readonly answer?: Message;
};
type PreValues = { readonly "pre-route": RouteRequest; readonly "pre-dispatch": Message };
type PostValues = { readonly "post-route": RouteDecision; readonly "post-dispatch": DispatchReport };
export type HookValues = PreValues & PostValues;
export type HookPoint = keyof HookValues;

export class HookAbort extends Error {
  override readonly name = "HookAbort";
}

/** A pre-hook gives the changed value back, or nothing; it aborts by throwing `HookAbort` with its reason. */
type HookResult<Point extends HookPoint> = Point extends keyof PreValues ? HookValues[Point] | void : void;
export type Hook<Point extends HookPoint> = {
  readonly name: string;
  /** Lower runs first; 50 unless said. */
  readonly order?: number;
  run(value: HookValues[Point]): HookResult<Point> | Promise<HookResult<Point>>;
};
type AnyHook = {
  readonly name: string;
  readonly order?: number;
  run(value: never): unknown;
};

export interface HookChain {
  add<Point extends HookPoint>(point: Point, hook: Hook<Point>): () => void;
  before<Point extends keyof PreValues>(point: Point, value: PreValues[Point]): Promise<PreValues[Point]>;
  after<Point extends keyof PostValues>(point: Point, value: PostValues[Point]): Promise<void>;
}

type Terms = {
  readonly clock: Clock;
  readonly limitMs?: number;
  readonly onPostFailure: (hook: string, error: unknown) => void;
};

const secondMs = 1_000;

export function createHookChain({ clock, limitMs = secondMs, onPostFailure }: Terms): HookChain {
  const chains = new Map<HookPoint, readonly AnyHook[]>();
  const orderOf = ({ order = 50 }: AnyHook): number => order;

  async function call(hook: AnyHook, value: unknown): Promise<unknown> {
    const result = hook.run(value as never);
    return result instanceof Promise ? inTime(result, hook.name, { clock, limitMs }) : result;
  }

  return {
    add(point, hook) {
      const added: AnyHook = hook;
      chains.set(
        point,
        [...(chains.get(point) ?? []), added].sort((a, b) => orderOf(a) - orderOf(b)),
      );
      return () => {
        chains.set(
          point,
          (chains.get(point) ?? []).filter((other) => other !== added),
        );
      };
    },
    async before(point, given) {
      let value = given;
      for (const hook of chains.get(point) ?? []) {
        try {
          value = ((await call(hook, value)) as typeof given | undefined) ?? value;
        } catch (error) {
          throw aborted(hook.name, point, error);
        }
      }
      return value;
    },
    async after(point, value) {
      for (const hook of chains.get(point) ?? []) {
        try {
          await call(hook, value);
        } catch (error) {
          onPostFailure(hook.name, error);
        }
      }
    },
  };
}

function aborted(hook: string, point: HookPoint, cause: unknown): Error {
  if (cause instanceof DomainError) return cause;
  const reason = messageOf(cause);
  return new DomainError("route.aborted", `the hook "${hook}" stopped it (${point}): ${reason}`, {
    details: { hook, point, reason },
    cause,
  });
}

function inTime(
  result: Promise<unknown>,
  hook: string,
  { clock, limitMs }: { readonly clock: Clock; readonly limitMs: number },
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const timer = clock.after(limitMs, () => reject(new Error(`"${hook}" took longer than ${limitMs} ms`)));
    result.then(resolve, reject).finally(() => timer.cancel());
  });
}
