/**
 * Classifies a text without a tag by its words alone: intent, domains, tense. Costs no tokens and takes microseconds;
 * the tables are read from top to bottom, and the first intent that fits is the one.
 */
export type Tense = "past" | "present" | "future";
export type Classification = {
  readonly intent: string;
  /** All that fit, the first one first; empty when none does. */
  readonly domains: readonly string[];
  readonly tense: Tense;
  readonly words: ReadonlySet<string>;
};

const change =
  "add|fix|implement|change|rename|remove|delete|write|refactor|create|build|make|update|replace|move|migrate|upgrade|port|introduce|convert|extract";
/** An order in front of the text: the user wants a change. */
const wantsChange = new RegExp(
  `^(?:please |(?:can|could|would) you (?:please )?|let['’]?s |i (?:want|need) (?:you )?to |we (?:should|need to|must) )?(?:${change})\\b`,
);

const intentTable: readonly (readonly [string, RegExp])[] = [
  ["execute", wantsChange],
  ["interrupt", /^(?:stop|halt|interrupt|wait)\b/],
  ["store", /\b(?:remember that|note that|keep in mind|store)\b/],
  ["help", /^(?:help\b|how do i (?:use|call)\b|what can (?:you|sylk)\b)/],
  ["status", /\b(?:status|progress|how far|under way|what is running)\b/],
  [
    "recall",
    /\b(?:did|tried|remember|recall|history|previously|decided|happened|ago|yesterday|learn(?:ed|t)|last (?:week|month|time|run|year)|have we|were we|was done)\b/,
  ],
  [
    "recall",
    /\bhow would (?:i|we|you|one) (?:design|structure|model|architect|approach)\b|\bwhat(?:['’]s| is| are) the best (?:approach(?:es)?|ways?|practices?)\b/,
  ],
  [
    "plan",
    /\b(?:plan|design|approach|strategy|propose|trade-?offs?|break (?:it|this) down|how (?:should|would|could))\b/,
  ],
  [
    "validate",
    /\b(?:review|lint|inspect|validate|verify|type-?checks?|is (?:this|it) (?:correct|safe|ok)|quality|smells?|vulnerab\w*|coverage)\b/,
  ],
  ["analyze", /\b(?:explain|why|how does|understand|analy[sz]e|compare|what does)\b/],
  ["check", /\b(?:where|find|which|who|is there|are there|search|locate|list|show|look up|what (?:is|are)|does)\b/],
];

const domainTable: readonly (readonly [string, RegExp])[] = [
  ["failures", /\b(?:fail(?:ed|ure|ures|s|ing)?|errors?|broken?|crash(?:ed|es)?|bugs?|regress\w*)\b/],
  ["decisions", /\b(?:decid\w*|decisions?|chose|chosen|rationale)\b/],
  ["learnings", /\b(?:learn(?:ed|t|ings?)|lessons?)\b/],
  ["patterns", /\b(?:patterns?|conventions?|style|idioms?)\b/],
  ["files", /\b(?:files?|folders?|director(?:y|ies)|paths?)\b|\b[\w-]+\/[\w./-]+|\b[\w-]+\.[a-z]{1,4}\b/],
  ["tasks", /\b(?:tasks?|work items?|todos?|tickets?|issues?)\b/],
  ["workflow", /\b(?:runs?|workflows?|pipelines?|plans?|requests?|we (?:do|did|try|tried|work|worked))\b/],
  ["agents", /\b(?:agents?|roles?)\b/],
  ["system", /\b(?:sylk|daemon|settings?|config(?:uration)?|providers?)\b/],
  [
    "code",
    /\b(?:code|functions?|class(?:es)?|methods?|modules?|imports?|variables?|symbols?|types?|interfaces?|defin\w+|implemented|used|called|apis?|endpoints?|handlers?|components?)\b|\w\(\)|\b[a-z]+_[a-z_]+\b/,
  ],
];
/** Names as they stand in code; the tables read lower case, where they cannot be seen. */
const codeName = /\b[a-z]+[A-Z]\w*/;

const pastWords =
  /\b(?:did|was|were|had|tried|decided|happened|ago|yesterday|previous(?:ly)?|before|earlier|already|history|past|last|learn(?:ed|t)|have we)\b/;
const futureWords = /\b(?:will|shall|should|next|plan|going to|tomorrow|would|could)\b/;

/** Longer texts say what they want at their beginning; reading all of them would cost by their length. */
const mostCharacters = 4_000;

export function classifyText(text: string): Classification {
  const head = text.slice(0, mostCharacters);
  const lower = head.trim().toLowerCase();
  const intent = intentTable.find(([, pattern]) => pattern.test(lower))?.[0] ?? "unknown";
  const domains = domainTable.filter(([, pattern]) => pattern.test(lower)).map(([name]) => name);
  if (!domains.includes("code") && codeName.test(head)) domains.push("code");
  return { intent, domains, tense: tenseOf(lower, intent), words: new Set(lower.match(/[\p{L}\p{N}_-]+/gu)) };
}

function tenseOf(lower: string, intent: string): Tense {
  if (intent === "execute") return "future";
  if (pastWords.test(lower)) return "past";
  return futureWords.test(lower) ? "future" : "present";
}
