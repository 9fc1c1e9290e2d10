/**
 * Hooks around research and around adding a source.
 *
 *   pre-research -> search, answer -> post-research      pre-ingest -> read, store -> post-ingest
 *
 * Lower numbers run first. A pre-hook that fails or takes too long stops the work; a post-hook only reports. The first
 * pre-research hook that has an answer ends the research with it.
 */
import { DomainError, messageOf, type ProjectId, type ResearchAnswer, type SourceKind } from "../../contract/index.ts";
import type { Clock } from "../../platform/clock/index.ts";
import type { SourceRecord } from "./store.ts";

export type Asked = {
  readonly project: ProjectId;
  readonly question: string;
  readonly key: string;
  readonly fresh: boolean;
};
export type Wanted = {
  readonly project: ProjectId;
  readonly location: string;
  readonly kind: SourceKind | undefined;
  readonly signal: AbortSignal;
};
type Points = {
  readonly "pre-research": (asked: Asked) => Promise<ResearchAnswer | undefined>;
  readonly "post-research": (done: Asked & { readonly answer: ResearchAnswer }) => Promise<void>;
  readonly "pre-ingest": (wanted: Wanted) => Promise<void>;
  readonly "post-ingest": (source: SourceRecord) => Promise<void>;
};
export type ResearchHookPoint = keyof Points;
export type ResearchHook<Point extends ResearchHookPoint> = {
  readonly name: string;
  /** Lower runs first; 50 unless said. */
  readonly order?: number;
  readonly run: Points[Point];
};
type AnyHook = { readonly name: string; readonly order?: number; readonly run: (value: never) => Promise<unknown> };
export type ResearchHooks = {
  add<Point extends ResearchHookPoint>(point: Point, hook: ResearchHook<Point>): void;
  before<Point extends "pre-research" | "pre-ingest">(
    point: Point,
    value: Parameters<Points[Point]>[0],
  ): Promise<Awaited<ReturnType<Points[Point]>>>;
  after<Point extends "post-research" | "post-ingest">(
    point: Point,
    value: Parameters<Points[Point]>[0],
  ): Promise<void>;
};
type Terms = { readonly clock: Clock; readonly onPostFailure: (hook: string, error: unknown) => void };

const limitMs = 60_000;

export function createResearchHooks({ clock, onPostFailure }: Terms): ResearchHooks {
  const chains = new Map<ResearchHookPoint, readonly AnyHook[]>();
  const hooksAt = (point: ResearchHookPoint): readonly AnyHook[] => chains.get(point) ?? [];
  const orderOf = ({ order = 50 }: AnyHook): number => order;
  return {
    add(point, hook) {
      chains.set(
        point,
        [...hooksAt(point), hook].sort((a, b) => orderOf(a) - orderOf(b)),
      );
    },
    async before(point, value) {
      for (const hook of hooksAt(point)) {
        const answer = await inTime(hook, value, clock).catch((error: unknown) => {
          throw stopped(hook.name, error);
        });
        if (answer !== undefined) return answer as never;
      }
      return undefined as never;
    },
    async after(point, value) {
      for (const hook of hooksAt(point))
        await inTime(hook, value, clock).catch((error: unknown) => onPostFailure(hook.name, error));
    },
  };
}

async function inTime(hook: AnyHook, value: unknown, clock: Clock): Promise<unknown> {
  const over = Promise.withResolvers<never>();
  const timer = clock.after(limitMs, () => over.reject(new Error(`it took longer than ${limitMs / 1_000} s`)));
  try {
    return await Promise.race([hook.run(value as never), over.promise]);
  } finally {
    timer.cancel();
  }
}

function stopped(hook: string, cause: unknown): Error {
  if (cause instanceof DomainError) return cause;
  return new DomainError("source.unreachable", `the hook "${hook}" stopped it: ${messageOf(cause)}`, { cause });
}
