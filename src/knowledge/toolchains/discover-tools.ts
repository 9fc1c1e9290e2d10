/**
 * The discovery service: which tools a project uses, in three tiers.
 *
 *   choices of people -> cache -> 1: the Librarian's scan, 10 s -> 2: the Academic's research, 30 s -> 3: a person chooses
 *
 * A tier is entered where the one before left a language of the project without a tool. Tier 3 has no limit: the answer
 * holds the options, and a later question finds what was chosen. Where no Academic answers, tier 3 follows tier 1.
 */
import type { ToolAnswer, ToolChoices, ToolReport, ToolScan, ToolScanRequest } from "../../contract/index.ts";
import type { Clock } from "../../platform/clock/index.ts";
import { defined } from "../../platform/defined.ts";
import type { ToolRegistry } from "./registry.ts";
import { emptyScan } from "./scan-project.ts";
import { answerScan } from "./scan-tools.ts";
import { stampedPlaces, stampOf } from "./source-stamps.ts";
import { createToolCache, type StampNow } from "./tool-cache.ts";
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
/** Whom a question goes to: both are asked in the words of one message. */
export type AskTerms = {
  readonly session: string;
  readonly limitMs: number;
  readonly signal: AbortSignal;
};
export type DiscoveryPorts = {
  readonly registry: ToolRegistry;
  readonly clock: Clock;
  /** Tier 1. */
  readonly scan: (request: ToolScanRequest, terms: AskTerms) => Promise<ToolScan>;
  /** Tier 2; undefined where no Academic answers in this session. */
  readonly research: (request: ToolScanRequest, terms: AskTerms) => Promise<ToolScan | undefined>;
  /** Tools that people named, for a session in a folder. */
  readonly choices: (session: string, path: string) => Promise<ToolChoices>;
  readonly cacheMs: () => number;
};
export type ToolDiscovery = {
  discover(request: DiscoverRequest): Promise<ToolReport>;
  discoverAll(path: string, session: string): Promise<ToolReport>;
  invalidateCache(session: string, path: string): void;
};

const tierLimitsMs = { scan: 10_000, research: 30_000 } as const;
const noClearAnswer = "no source has a clear recommendation, so you choose";
const noAcademic = "no Academic is here to research tools, so you choose";

export function createToolDiscovery(ports: DiscoveryPorts): ToolDiscovery {
  const { registry, clock } = ports;
  const cache = createToolCache({ clock, keepMs: ports.cacheMs });
  const forget = (path: string, category: DiscoverRequest["category"]): void => {
    if (category === "all") cache.invalidate(path);
    else cache.invalidateCategory(path, category);
  };
  async function discover(asked: DiscoverRequest): Promise<ToolReport> {
    const { path, session, agent, category, minConfidence = "medium", refresh = false } = asked;
    if (refresh) forget(path, category);
    const unknown = (asked.languages ?? []).filter((name) => registry.defaultsOf(name) === "unknown");
    const languages = asked.languages?.filter((name) => !unknown.includes(name));
    const choices = await ports.choices(session, path);
    const { stamp: added, problem } = registry.own();
    const terms = JSON.stringify([languages, minConfidence, choices, added]);
    const wanted = category === "all" ? categories : [category];
    const keyOf = (one: ToolCategory) => ({ session, path, category: one, terms });
    const stampNow = stampedOnce();
    const kept = wanted.map((one) => (refresh ? undefined : cache.get(keyOf(one), stampNow)));
    const cached = kept.every((entry) => entry !== undefined);
    const entries = cached
      ? kept
      : await entriesOf({ path, category, minConfidence, choices, agent, ...defined({ languages }) });
    const { overrides, about } = entries[0]!;
    return {
      path,
      ...about,
      unknownLanguages: unknown,
      overrides,
      answers: entries.map(({ answer }) => (problem === undefined ? answer : withNote(answer, problem))),
      discoveredAt: Math.min(...entries.map(({ discoveredAt }) => discoveredAt)),
      cached,
    };

    async function entriesOf(request: Request) {
      const { isWhole, answers, sources, ...found } = await answerInTiers(request, session, ports);
      const places = stampedPlaces(path, sources);
      const common = { overrides: choices.chosen, about: found, discoveredAt: clock.now(), places };
      const stamp = stampOf(places);
      return answers.map((answer) => {
        const entry = { ...common, answer, stamp };
        if (isWhole) cache.set(keyOf(answer.category), entry);
        return entry;
      });
    }
  }
  return {
    discover,
    discoverAll: (path, session) => discover({ path, session, agent: "user", category: "all" }),
    invalidateCache: (_session, path) => cache.invalidate(path),
  };
}

type Request = ToolScanRequest & { readonly languages?: string[] };

/** One look at each place for all categories of a question. */
function stampedOnce(): StampNow {
  const known = new Map<readonly string[], string>();
  return (places) => {
    const stamp = known.get(places) ?? stampOf(places);
    known.set(places, stamp);
    return stamp;
  };
}

/** `isWhole`: the scan ended. The next question may have more luck with one that did not. */
type Answered = ToolScan & { readonly isWhole: boolean };

async function answerInTiers(request: Request, session: string, ports: DiscoveryPorts): Promise<Answered> {
  const { scan, research, clock, registry } = ports;
  const ended = await within(tierLimitsMs.scan, clock, (terms) => scan(request, { session, ...terms }));
  const scanned =
    ended ?? answerScan(emptyScan(`the scan of ${request.path} did not end within 10 s`), request, registry);
  const answers = scanned.answers.map(async (answer) => {
    if (!answer.requiresUser) return answer;
    const languages = [...new Set(answer.options.map(({ language }) => language))];
    const question = { ...request, category: answer.category, languages };
    const found = await within(tierLimitsMs.research, clock, async (terms) => ({
      research: await research(question, { session, ...terms }),
    }));
    if (found === undefined) return withNote(answer, "the Academic's research did not end within 30 s, so you choose");
    if (found.research === undefined) return withNote(answer, noAcademic);
    const researched = found.research.answers.find(({ category }) => category === answer.category);
    return researched === undefined ? withNote(answer, noClearAnswer) : withResearched(answer, researched);
  });
  return { ...scanned, isWhole: ended !== undefined, answers: await Promise.all(answers) };
}

/** Research was asked about the languages that were left: tools of the others stay. */
function withResearched(answer: ToolAnswer, researched: ToolAnswer): ToolAnswer {
  const known = new Set(answer.tools.map(({ name }) => name));
  return {
    ...researched,
    tools: [...answer.tools, ...researched.tools.filter(({ name }) => !known.has(name))],
    notes: [...new Set([...answer.notes, ...researched.notes])],
  };
}

function withNote(answer: ToolAnswer, note: string): ToolAnswer {
  return { ...answer, notes: [...answer.notes, note] };
}

/** Undefined where the time is over; what still runs is told to stop. */
async function within<T>(
  limitMs: number,
  clock: Clock,
  work: (terms: Pick<AskTerms, "limitMs" | "signal">) => Promise<T>,
): Promise<T | undefined> {
  const ending = new AbortController();
  const over = Promise.withResolvers<undefined>();
  const timer = clock.after(limitMs, () => {
    ending.abort();
    over.resolve(undefined);
  });
  try {
    return await Promise.race([work({ limitMs, signal: ending.signal }), over.promise]);
  } finally {
    timer.cancel();
  }
}
