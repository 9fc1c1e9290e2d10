/**
 * Which tools the sources recommend for some languages.
 *
 *   "What linter tools are recommended for python in 2026?" -> claims -> known tools that they name -> one clearly first?
 *
 * Satisfactory: for every language one tool is recommended, and named by more claims than any other.
 */
import type { Claim, tool as contract } from "../../contract/index.ts";
import type { ResearchDesk } from "../../knowledge/sources/index.ts";

/** Tools of a category that a language can have. */
export type ToolNames = (language: string, category: contract.ToolCategory) => readonly string[];
type Asked = { readonly languages: readonly string[]; readonly category: contract.ToolCategory };
type Ports = { readonly research: ResearchDesk; readonly toolNames: ToolNames; readonly year: () => number };
export type Recommendation = {
  readonly language: string;
  readonly tool: string;
  /** Claims that name it. */
  readonly mentions: number;
  readonly rationale: string;
};
export type ToolResearch = {
  readonly question: string;
  readonly recommendations: readonly Recommendation[];
  readonly satisfactory: boolean;
  /** For a person to choose from, where none is clearly best. */
  readonly options: readonly string[];
  readonly requiresUser: boolean;
};

const maxSources = 8;

export async function recommendTools(
  { languages, category }: Asked,
  { research, toolNames, year }: Ports,
  signal: AbortSignal,
): Promise<ToolResearch> {
  const question = `What ${category.replace("_", " ")} tools are recommended for ${languages.join(", ")} in ${year()}?`;
  const { items: sources } = await research(
    "research.sources",
    { kind: undefined, limit: 1, cursor: undefined },
    signal,
  );
  if (sources.length === 0)
    return { question, recommendations: [], satisfactory: false, options: [], requiresUser: true };
  const asked = { maxSources, fresh: false, model: false, kind: undefined, provider: undefined, rehearse: undefined };
  // Looking for tools is a read: it leaves no event and no kept answer.
  const { claims } = await research.peek({ ...asked, question: withoutYear(question) }, signal);
  const borne = claims.filter(({ kind }) => kind !== "unsupported");
  const recommendations = languages.flatMap((language) =>
    recommendedFor(language, toolNames(language, category), borne),
  );
  const best = languages.map((language) => clearlyBest(recommendations.filter((one) => one.language === language)));
  const satisfactory = languages.length > 0 && best.every((one) => one !== undefined);
  const options = recommendations.map(({ language, tool, rationale }) => `${tool} (${language}): ${rationale}`);
  return { question, recommendations, satisfactory, options, requiresUser: !satisfactory };
}

/** A source need not name the year that it is asked in. */
function withoutYear(question: string): string {
  return question.replace(/ in \d{4}\?$/, "?");
}

function recommendedFor(
  language: string,
  names: readonly string[],
  claims: readonly Claim[],
): readonly Recommendation[] {
  return names
    .flatMap((tool) => {
      const naming = claims.filter(({ text }) => namesTool(text, tool));
      const [first] = naming;
      return first === undefined
        ? []
        : [{ language, tool, mentions: naming.length, rationale: first.text.replaceAll(/[“”]/g, "") }];
    })
    .sort((a, b) => b.mentions - a.mentions);
}

/** Alone, or named by more claims than the next. */
export function clearlyBest(found: readonly Recommendation[]): Recommendation | undefined {
  const [first, second] = found;
  return first !== undefined && (second === undefined || first.mentions > second.mentions) ? first : undefined;
}

function namesTool(text: string, tool: string): boolean {
  return (
    text
      .toLowerCase()
      .match(/[\p{L}\p{N}.+#-]+/gu)
      ?.some((word) => word.replace(/[.,-]+$/, "") === tool) === true
  );
}
