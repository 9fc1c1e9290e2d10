/** Breaks of the Academic, its commands and the tools it recommends. */
import type { Mutant } from "./mutant.ts";

const sources = "src/knowledge/sources";
const role = "src/agents/academic";
const [skillHandlers, skills, commands] = [`${role}/skill-handlers.ts`, `${role}/skills.ts`, `${role}/commands.ts`];
const [recommend, answers] = [`${role}/recommend-tools.ts`, `${role}/role.ts`];
const [hooks, adder, asking] = [
  `${sources}/standard-hooks.ts`,
  `${sources}/add-source.ts`,
  `${sources}/ask-research.ts`,
];
const [judge, wording, quality] = [
  `${sources}/judge-claim.ts`,
  `${sources}/compare-wording.ts`,
  `${sources}/source-quality.ts`,
];
const discovery = "src/knowledge/toolchains/discover-tools.ts";
const cards = "src/orchestration/guide/routing/standard-cards.ts";
const seats = "src/agents/shared/answers/seat-roles.ts";
const [flow, tools, network, reading] = [
  "test/flows/academic.test.ts",
  "test/flows/academic-skills.test.ts",
  "test/flows/research-network.test.ts",
  "test/flows/research.test.ts",
];
const claims = "judge-claim.property.test.ts";

const of =
  (file: string, test: string) =>
  (id: string, breaks: string, from: string, to: string): Mutant => ({ id, breaks, file, from, to, test });

const [hook, hookOfPages] = [of(hooks, flow), of(hooks, network)];
const [skill, shown, command] = [of(skillHandlers, tools), of(skills, tools), of(commands, tools)];
const [ofClaims, ofWording] = [of(judge, claims), of(wording, claims)];
const [rated, found, recommended] = [of(quality, network), of(discovery, flow), of(recommend, flow)];

export const academicMutants: readonly Mutant[] = [
  of(adder, network)("ACA-1", "documents of a repository are not read", "yield* ofFolder(tree, terms, deep);", ""),
  of(`${sources}/open-repository.ts`, network)(
    "ACA-1",
    "its patterns are not told",
    "...patternsOf(files.map(({ path }) => path)),",
    "",
  ),
  of(`${sources}/open-repository.ts`, network)(
    "ACA-1",
    "its code is not read",
    '      "```",\n      map,\n      "```",\n',
    "",
  ),
  of(`${sources}/read-page.ts`, network)("ACA-2", "a page is a paper", '"paper" : "article"', '"paper" : "paper"'),
  of(`${sources}/read-plain.ts`, reading)(
    "ACA-2",
    "hidden words of Markdown are a source",
    'type === "markdown" ? visibleMarkdown(text) : text',
    "text",
  ),
  of("src/adapters/documents/read-html.ts", network)(
    "ACA-2",
    "hidden words reach the extractor",
    "  removeHidden(document);\n",
    "",
  ),
  of("src/adapters/documents/html-text.ts", network)(
    "ACA-2",
    "words without a size are read",
    "font-size:0(?:",
    "font-size:9(?:",
  ),
  of("src/adapters/documents/read-pdf.ts", network)(
    "ACA-3",
    "the text of a PDF is lost",
    "${plainText(page).trim()}",
    "${index}",
  ),
  of("src/adapters/documents/read-pdf.ts", network)(
    "ACA-3",
    "the title of a PDF is lost",
    'typeof info.Title === "string"',
    'typeof info.Title === "number"',
  ),
  of(`${sources}/read-plain.ts`, network)("ACA-4", "an RFC has no sections", 'isRfc ? "numbered"', 'isRfc ? "none"'),
  of(`${sources}/read-plain.ts`, network)(
    "ACA-4",
    "a page break cuts a sentence",
    "isRfc ? withoutPageBreaks(text) : text,",
    "text,",
  ),
  of(`${sources}/crawl-site.ts`, network)("ACA-5", "one page too many", "if (taken >= pages)", "if (taken > pages)"),
  of(`${sources}/crawl-site.ts`, network)(
    "ACA-5",
    "one link too deep",
    "next.depth < depth ?",
    "next.depth <= depth ?",
  ),
  of(`${sources}/crawl-site.ts`, network)(
    "ACA-5",
    "other origins and folders are read",
    "if (found.origin !== origin || !found.pathname.startsWith(below)) continue;",
    "",
  ),
  of(`${sources}/find-passages.ts`, flow)(
    "ACA-6",
    "vectors find nothing that words do not",
    "if (found >= enoughLikeness)",
    "if (found > 1)",
  ),
  of(`${sources}/find-passages.ts`, flow)(
    "ACA-6",
    "everything is alike",
    "const enoughLikeness = 0.4;",
    "const enoughLikeness = -1;",
  ),
  of(`${sources}/find-passages.ts`, flow)(
    "ACA-6",
    "the method is not named",
    "`bm25 and ${vectors.name} vectors`",
    '"bm25 and vectors"',
  ),
  of(`${sources}/write-paper.ts`, flow)(
    "ACA-7",
    "a paper has no Background",
    'const shown = ["Summary", "Background", "Findings", "Limits"];',
    'const shown = ["Summary", "Findings", "Limits"];',
  ),
  of(`${sources}/write-paper.ts`, flow)("ACA-7", "a paper lists no sources", '"## Sources",', '"## End",'),
  of(`${sources}/write-answer.ts`, flow)(
    "ACA-8",
    "a sentence without a source is believed",
    'return { text, kind: "unsupported", reason: "it names no source" };',
    'return { text, kind: "supported" };',
  ),
  of("src/surfaces/cli/commands/research.ts", reading)(
    "ACA-8",
    "an answer without sources says nothing",
    'if (outcome === "no-source") out.line(',
    'if (outcome === "answered") out.line(',
  ),
  rated("ACA-9", "age costs nothing", "(isOld ? 0.1 : 0)", "0"),
  rated(
    "ACA-9",
    "an unknown age costs something",
    "publishedAt !== undefined && now - publishedAt > fiveYearsMs",
    "now - (publishedAt ?? 0) > fiveYearsMs",
  ),
  rated("ACA-9", "damage costs nothing", "(isDamaged ? 0.2 : 0)", "0"),
  rated(
    "ACA-9",
    "confidence does not depend on quality",
    "product * (1 - quality), 1)",
    "product * 0.5 + 0 * quality, 1)",
  ),
  hook(
    "ACA-10",
    "research is not kept",
    'if (answer.outcome === "answered") await cache.keep(project, key, answer);',
    "",
  ),
  hook(
    "ACA-17",
    "kept research is not looked for",
    "(fresh ? undefined : cache.find(project, key))",
    "(fresh ? cache.find(project, key) : undefined)",
  ),
  hook(
    "ACA-18",
    "research is not kept",
    'if (answer.outcome === "answered") await cache.keep(project, key, answer);',
    "",
  ),
  of(asking, flow)(
    "ACA-18",
    "the hooks after research do not run",
    'await ports.hooks.after("post-research", { ...asked, answer });',
    "",
  ),
  of(asking, flow)(
    "ACA-17",
    "the hooks before research do not run",
    'const kept = await ports.hooks.before("pre-research", asked);',
    "const kept = await Promise.resolve<ResearchAnswer | undefined>(undefined);",
  ),
  of(`${sources}/research-cache.ts`, flow)(
    "ACA-23",
    "another category",
    'const category = "research";',
    'const category = "learning";',
  ),
  of(asking, flow)(
    "ACA-23",
    "kept answers do not notice that sources changed",
    "vectors?.name, stamp]",
    "vectors?.name]",
  ),
  of("src/orchestration/guide/session-router.ts", flow)(
    "ACA-11",
    "requests are told at another topic",
    "ports.bus.publish(agentTopic(role, channel), message)",
    "ports.bus.publish(agentTopic(`${role}s`, channel), message)",
  ),
  of("src/orchestration/guide/ask-role.ts", flow)(
    "ACA-12",
    "answers are told as errors",
    'announce(request.to, "responses", response);',
    'announce(request.to, "errors", response);',
  ),
  of(seats, flow)(
    "ACA-13",
    "the Academic is not registered",
    '  guide.registerShared(standardCards.academic, takingSlashLines("academic", academic));\n',
    "  void academic;\n",
  ),
  of(seats, flow)(
    "GUIDE-9",
    "the Academic is not shared",
    '  guide.registerShared(standardCards.academic, takingSlashLines("academic", academic));\n',
    "  void academic;\n",
  ),
  of(answers, flow)("ACA-14", "a claim is researched, not checked", 'if (intent === "check"', 'if (intent === "help"'),
  of(cards, flow)(
    "ACA-15",
    "learnings are not its domain",
    'domains: ["patterns", "decisions", "learnings"],\n    keywords: [\n      "research",',
    'domains: ["patterns", "decisions"],\n    keywords: [\n      "research",',
  ),
  of(cards, flow)(
    "ACA-16",
    "questions of design go elsewhere",
    "/\\bhow would (?:i|we|you|one) (?:design",
    "/\\bhow wood (?:i|we|you|one) (?:design",
  ),
  hookOfPages(
    "ACA-19",
    "a page is not asked for before it is read",
    "else await fetchPage.check(location, signal);",
    "",
  ),
  of(adder, network)(
    "ACA-19",
    "the hooks before a source do not run",
    'await ports.hooks.before("pre-ingest", { project, location: place.location, kind: input.kind, signal });',
    "void project;",
  ),
  of(adder, flow)(
    "ACA-20",
    "the hooks after a source do not run",
    'await ports.hooks.after("post-ingest", source);',
    "",
  ),
  hook(
    "ACA-20",
    "no vectors are made",
    "await store.transact(project, (tx) => tx.sources.addVectors(vectors.name, made));",
    "if (made.length > 0) return;",
  ),
  of(adder, reading)("ACA-21", "documents are not counted", "counted.documents++;", "counted.documents = 1;"),
  of(asking, reading)("ACA-22", "an answer has no citations", "citations: shown,", "citations: [],"),
  of(asking, reading)(
    "ACA-22",
    "the first words are all that is cited",
    "const shown = citations.filter(({ number }) => used.has(number));",
    "const shown = citations.map((one) => ({ ...one, text: one.text.slice(0, 20) }));",
  ),
  skill("ACA-24", "another default", "max_sources: maxSources = usual.maxSources", "max_sources: maxSources = 6"),
  skill(
    "ACA-24",
    "max_sources is not used",
    "{ ...usual, question: query, maxSources }",
    "{ ...usual, question: query, maxSources: Math.max(maxSources, 5) }",
  ),
  skill(
    "ACA-24",
    "the language is not used",
    "{ topic, language, limit: 5 }",
    "{ topic, language: language === undefined ? language : undefined, limit: 5 }",
  ),
  shown(
    "ACA-24",
    "max_sources is required",
    'max_sources: optional(int("Most sources to cite; 5 by default"))',
    'max_sources: int("Most sources to cite; 5 by default")',
  ),
  skill("ACA-25", "deep by default", "{ url, deep = false }", "{ url, deep = true }"),
  skill("ACA-25", "deep is not used", 'kind: "repository", deep }', 'kind: "repository", deep: deep && false }'),
  skill(
    "ACA-25",
    "approaches are not used",
    "{ ...usual, topic, approaches }",
    "{ ...usual, topic, approaches: approaches.slice(9) }",
  ),
  skill("ACA-25", "sections of other documents", 'kind: "rfc" as const', 'kind: "file" as const'),
  skill("ACA-25", "another depth by default", 'depth = "detailed"', 'depth = "overview"'),
  skill(
    "ACA-25",
    "depth is not used",
    "{ ...usual, topic, depth }",
    '{ ...usual, topic, depth: depth === "overview" ? "detailed" : depth }',
  ),
  shown(
    "ACA-25",
    "another name for a depth",
    'choice(["overview", "detailed", "comprehensive"]',
    'choice(["overview", "detailed", "comprehensive", "endless"]',
  ),
  of("src/agents/shared/known-files/list-known-files.ts", tools)(
    "ACA-25",
    "the depth limits nothing",
    'maxdepth === undefined || place.split("/").length <= maxdepth',
    "maxdepth === undefined || place.length > 0",
  ),
  shown(
    "ACA-26",
    "academic_compare has another name",
    'academic_compare: "compare_approaches"',
    'academic_compares: "compare_approaches"',
  ),
  shown("ACA-26", "a tool is missing", '  "find_rfc",\n  "generate_paper",', '  "generate_paper",'),
  shown(
    "ACA-26",
    "no slash commands",
    "core: [researchSkill, findExamples, runCommand],",
    "core: [researchSkill, findExamples],",
  ),
  shown(
    "COMMON-7",
    "an extended skill is missing",
    "generatePaper, researchTools, findFiles]",
    "generatePaper, researchTools]",
  ),
  ofClaims("ACA-28", "words alone decide", "?? differenceInWording(claim, text)", ""),
  ofClaims(
    "ACA-28",
    "a quotation need not be there",
    "if (!standsIn(oneSpaced(cited), wanted))",
    "if (cited === quoted)",
  ),
  ofWording(
    "ACA-28",
    "the end may be left out",
    "return measuring.has(next.lower) && isMeasure(rest);",
    "return rest.length >= 0;",
  ),
  ofWording(
    "ACA-28",
    "a number may stand before an and",
    "return valueOf(said.at(-1)!) === undefined && !said.some(({ lower }) => spanning.has(lower));",
    "return true;",
  ),
  ofWording(
    "ACA-28",
    "forms of a word are one",
    "return unitOf(one) !== undefined || form.exec(one.lower)?.[0] === form.exec(other.lower)?.[0];",
    "return unitOf(one) !== undefined || form.test(one.lower) || true;",
  ),
  of(`${sources}/claim-words.ts`, claims)(
    "ACA-28",
    "signs of numbers do not count",
    "(?<![\\p{L}\\p{N}])[-−–]?\\d+",
    "\\d+",
  ),
  of(`${sources}/write-answer.ts`, claims)(
    "ACA-28",
    "a source that is not there is believed",
    "if (citation === undefined) continue;",
    'if (citation === undefined) return { text, kind: "supported" };',
  ),
  of("src/agents/skills/run-command-skill.ts", tools)(
    "SLASH-1",
    "options are lost",
    "options: { ...line.options, ...options }",
    "options: { ...line.options, ...(options === line.options ? options : {}) }",
  ),
  of("src/agents/skills/run-command-skill.ts", tools)(
    "SLASH-1",
    "arguments are lost",
    "args: [...line.args, ...args]",
    "args: [...line.args, ...args.slice(9)]",
  ),
  of("src/agents/inspector/skills.ts", tools)(
    "SLASH-1",
    "the Inspector has it not",
    "core: [validateTask, getIssues, runCommand],",
    "core: [validateTask, getIssues],",
  ),
  of("src/agents/tester/skills.ts", tools)(
    "SLASH-1",
    "the Tester has it not",
    "core: [runTests, getResults, runCommand],",
    "core: [runTests, getResults],",
  ),
  of("src/agents/skills/slash-commands.ts", tools)(
    "SLASH-1",
    "known commands are not listed",
    'Known: ${sorted.map((one) => `/${one}`).join(", ")}',
    "Known: ${sorted.length}",
  ),
  command("SLASH-2", "no /research", '"research",\n      "Answer', '"researches",\n      "Answer'),
  command("SLASH-2", "no /compare", '"compare", "Compare', '"compares", "Compare'),
  command("SLASH-2", "no /ingest", '"ingest",\n', '"ingests",\n'),
  command("SLASH-2", "no /cite", '"cite",\n', '"cites",\n'),
  command("SLASH-2", "no /sources", 'name: "sources",', 'name: "source",'),
  of(skills, flow)("SKILL-12", "vs does not load it", '"versus", "vs", ', '"versus", '),
  found(
    "TOOL-13",
    "tier 2 is not asked",
    "research: await research(question, { session, ...terms }),",
    "research: await Promise.resolve(question === undefined ? await research(question, { session, ...terms }) : undefined),",
  ),
  found(
    "TOOL-83",
    "an open question ends at tier 1",
    "if (!answer.requiresUser) return answer;",
    "if (answer.requiresUser) return answer;",
  ),
  found(
    "TOOL-16",
    "without an Academic nothing is asked",
    "if (found.research === undefined) return withNote(answer, noAcademic);",
    "if (found.research === undefined) return { ...answer, requiresUser: false };",
  ),
  found(
    "TOOL-84",
    "an unclear answer is the answer",
    "researched === undefined ? withNote(answer, noClearAnswer)",
    "researched === undefined ? { ...answer, requiresUser: false }",
  ),
  of(skills, tools)(
    "TOOL-68",
    "the category is optional",
    'category: choice(["linter", "formatter", "type_checker", "test_framework", "lsp"], "Kind of tool"),',
    'category: optional(choice(["linter", "formatter", "type_checker", "test_framework", "lsp"], "Kind of tool")) as never,',
  ),
  recommended("TOOL-69", "the year is not asked", '.join(", ")} in ${year()}?`', '.join(", ")} in ${year() + 1}?`'),
  recommended("TOOL-70", "mentions are not counted", "mentions: naming.length,", "mentions: 7,"),
  recommended("TOOL-71", "everything is satisfactory", "best.every((one) => one !== undefined)", "best.length >= 0"),
  recommended(
    "TOOL-71",
    "nothing is satisfactory",
    "const satisfactory = languages.length > 0",
    "const satisfactory = languages.length > 9",
  ),
  recommended(
    "TOOL-72",
    "the first option alone",
    "const options = recommendations.map(",
    "const options = recommendations.slice(0, 1).map(",
  ),
  recommended(
    "TOOL-73",
    "options are bare names",
    "`${tool} (${language}): ${rationale}`",
    "`${tool}${language.slice(9)}${rationale.slice(999)}`",
  ),
  of("src/surfaces/cli/commands/tools.ts", flow)(
    "TOOL-88",
    "the user is not told how to choose",
    "for (const answer of answers) if (answer.requiresUser) printChoice(answer, out);",
    "",
  ),
  of("src/knowledge/toolchains/tool-choices.ts", flow)(
    "TOOL-88",
    "a stored choice does not answer",
    "const own = session[category];",
    "const own = session[`${category}s`];",
  ),
  of("src/knowledge/archive/tool-preferences.ts", flow)(
    "TOOL-95",
    "a choice is not stored",
    'subscribe("session.noted", ',
    'subscribe("session.noticed", ',
  ),
  found(
    "TOOL-95",
    "the user gets no options",
    "researched === undefined ? withNote(answer, noClearAnswer)",
    "researched === undefined ? withNote({ ...answer, options: answer.options.slice(0, 1) }, noClearAnswer)",
  ),
  of("src/knowledge/toolchains/scan-tools.ts", flow)(
    "TOOL-94",
    "what research found looks like a wish",
    'source: "academic_research" as const, ',
    "",
  ),
  of("src/knowledge/toolchains/scan-tools.ts", flow)(
    "TOOL-94",
    "another tier",
    "{ ...known, tier: 2,",
    "{ ...known, tier: 1,",
  ),
];
