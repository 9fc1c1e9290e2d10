/**
 * The discovery service: which tools a project uses, in three tiers.
 *
 *   cache -> 1: the Librarian's scan, 10 s -> 2: the Academic's research, 30 s -> 3: a person chooses, without a limit
 *
 * A tier is entered where the one before left a language of the project without a tool. Without an Academic tier 3 follows
 * tier 1.
 */
import type { ToolAnswer, ToolReport } from "../../contract/index.ts";
import type { Clock } from "../../platform/clock/index.ts";
import { answerCategory, type Wanted } from "./answer-category.ts";
import type { ToolRegistry } from "./registry.ts";
import { emptyScan, type ProjectScan } from "./scan-project.ts";
import { stampedPlaces, stampOf } from "./source-stamps.ts";
import { createToolCache, type StampNow, type ToolCache } from "./tool-cache.ts";
import { categories, type Confidence, type ToolCategory } from "./tool-definition.ts";

export type DiscoverRequest = {
  readonly session: string;
  /** Who asks. */
  readonly agent: string;
  readonly category: ToolCategory | "all";
  /** Absolute. */
  readonly path: string;
  /** Those of the files by default. */
  readonly languages?: readonly string[] | undefined;
  readonly minConfidence?: Confidence | undefined;
  readonly refresh?: boolean | undefined;
};
/** Undefined where research found no clear answer. */
export type Research = (
  wanted: Pick<Wanted, "category" | "languages">,
  signal: AbortSignal,
) => Promise<ToolAnswer | undefined>;
export type DiscoveryPorts = {
  readonly registry: ToolRegistry;
  readonly clock: Clock;
  /** Tier 1. */
  readonly scan: (path: string, signal: AbortSignal) => Promise<ProjectScan>;
  /** Tier 2; absent until there is an Academic. */
  readonly research?: Research | undefined;
  readonly cacheMs: () => number;
};
export type ToolDiscovery = {
  discover(request: DiscoverRequest): Promise<ToolReport>;
  discoverAll(path: string, session: string): Promise<ToolReport>;
  invalidateCache(session: string, path: string): void;
};

const tierLimitsMs = { scan: 10_000, research: 30_000 } as const;

type About = Pick<ToolReport, "languages" | "packageManagers">;
type Answered = { readonly answer: ToolAnswer; readonly about: About; readonly at: number; readonly cached: boolean };

export function createToolDiscovery(ports: DiscoveryPorts): ToolDiscovery {
  const { registry, clock } = ports;
  const cache: ToolCache<About> = createToolCache({ clock, keepMs: ports.cacheMs });
  async function discover(request: DiscoverRequest): Promise<ToolReport> {
    const { path, session, category, minConfidence = "medium", refresh = false } = request;
    if (refresh) cache.invalidate(path);
    const unknown = (request.languages ?? []).filter((name) => registry.defaultsOf(name) === "unknown");
    const languages = request.languages?.filter((name) => !unknown.includes(name));
    const wanted = category === "all" ? categories : [category];
    const terms = JSON.stringify([languages, minConfidence]);
    let scanned: Promise<Scanned> | undefined;
    const stampNow = stampedOnce();
    const answerOne = async (one: ToolCategory): Promise<Answered> => {
      const key = { session, path, category: one, terms };
      const kept = cache.get(key, stampNow);
      if (kept !== undefined) return { answer: kept.answer, about: kept.scan, at: kept.discoveredAt, cached: true };
      const { scan, places, stamp } = await (scanned ??= scanNow(path, ports));
      const asked = languages ?? scan.main;
      const about = { languages: [...scan.languages], packageManagers: [...scan.managersOf(asked)] };
      const answer = await answerInTiers({ category: one, languages: asked, minConfidence }, scan, ports);
      const at = clock.now();
      cache.set(key, { answer, scan: about, discoveredAt: at, places, stamp });
      return { answer, about, at, cached: false };
    };
    const answered = await Promise.all(wanted.map(answerOne));
    return {
      path,
      ...answered[0]!.about,
      unknownLanguages: unknown,
      answers: answered.map(({ answer }) => answer),
      discoveredAt: Math.min(...answered.map(({ at }) => at)),
      cached: answered.every(({ cached }) => cached),
    };
  }
  return {
    discover,
    discoverAll: (path, session) => discover({ path, session, agent: "user", category: "all" }),
    invalidateCache: (_session, path) => cache.invalidate(path),
  };
}

/** One look at each place for all categories of a question. */
function stampedOnce(): StampNow {
  const known = new Map<readonly string[], string>();
  return (places) => {
    const stamp = known.get(places) ?? stampOf(places);
    known.set(places, stamp);
    return stamp;
  };
}

type Scanned = { readonly scan: ProjectScan; readonly places: readonly string[]; readonly stamp: string };

async function scanNow(path: string, { scan, clock }: DiscoveryPorts): Promise<Scanned> {
  const found =
    (await within(tierLimitsMs.scan, clock, (signal) => scan(path, signal))) ??
    emptyScan(`the scan of ${path} did not end within ${tierLimitsMs.scan / 1_000} s`);
  const places = stampedPlaces(path, found.sources);
  return { scan: found, places, stamp: stampOf(places) };
}

async function answerInTiers(wanted: Wanted, scan: ProjectScan, ports: DiscoveryPorts): Promise<ToolAnswer> {
  const answer = answerCategory(wanted, scan, ports.registry);
  const { research } = ports;
  if (!answer.requiresUser || research === undefined) return answer;
  const languages = [...new Set(answer.options.map(({ language }) => language))];
  const researched = await within(tierLimitsMs.research, ports.clock, (signal) =>
    research({ category: wanted.category, languages }, signal),
  );
  return researched ?? answer;
}

/** Undefined where the time is over; what still runs is told to stop. */
async function within<T>(
  limitMs: number,
  clock: Clock,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T | undefined> {
  const ending = new AbortController();
  const over = Promise.withResolvers<undefined>();
  const timer = clock.after(limitMs, () => {
    ending.abort();
    over.resolve(undefined);
  });
  try {
    return await Promise.race([work(ending.signal), over.promise]);
  } finally {
    timer.cancel();
  }
}
