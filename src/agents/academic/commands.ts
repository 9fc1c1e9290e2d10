/**
 * Slash commands of the Academic. Their options are those of the operation: /research --kind rfc --max-sources 2 --fresh.
 */
import { type DomainError, invalidInput, parseInput, research as contract } from "../../contract/index.ts";
import type { ResearchDesk } from "../../knowledge/sources/index.ts";
import type { SlashCommand } from "../skills/index.ts";
import { usual } from "./skill-handlers.ts";

export function academicCommands(research: ResearchDesk): readonly SlashCommand[] {
  const about = (
    name: string,
    summary: string,
    example: string,
    run: About,
    known: readonly string[] = [],
  ): SlashCommand => ({
    name,
    agent: "academic",
    summary,
    async run({ args, options }, { signal }) {
      const words = args.join(" ").trim();
      if (words === "") throw missing(`/${name} needs a word: /${name} ${example}`);
      const unknown = Object.keys(options).filter((option) => !known.includes(option));
      if (unknown.length > 0)
        throw missing(
          `/${name} has no option --${unknown[0]}${known.length === 0 ? "" : `; it has ${known.map((one) => `--${one}`).join(", ")}`}`,
        );
      return run(words, signal, options);
    },
  });
  return [
    about(
      "research",
      "Answer a question from the sources",
      "how long is a lease kept?",
      async (question, signal, options) => {
        const { kind, "max-sources": most, fresh } = options;
        const maxSources = most === undefined ? usual.maxSources : Number(most);
        const asked = parseInput(contract.ask, { question, kind, maxSources, fresh: fresh === true });
        return inWords(await research("research.ask", { ...usual, ...asked }, signal));
      },
      ["kind", "max-sources", "fresh"],
    ),
    about("compare", "Compare approaches by what the sources say", "leases vs locks", async (topic, signal) =>
      inWords(await research("research.compare", { ...usual, topic, approaches: [] }, signal)),
    ),
    about(
      "ingest",
      "Add a source: a path in the tree, or an address of an allowed host",
      "docs",
      async (location, signal, options) => {
        const { kind, title, deep } = options;
        const asked = parseInput(contract.add, { location, kind, title, deep: deep === true });
        const added = await research("research.add", asked, signal);
        const { title: name, documents, id } = added.source;
        return { text: `${name}: ${documents} documents read  ${id}`, data: { ...added } };
      },
      ["kind", "title", "deep"],
    ),
    about(
      "cite",
      "Check a claim, and show the place that bears it out",
      "A lease ends after 300 seconds",
      async (claim, signal) => {
        const checked = await research("research.check", { claim }, signal);
        const places = checked.citations.map(({ location, lines }) => `  ${location}:${lines.from}-${lines.to}`);
        const { kind, evidence, reason } = checked.claim;
        return { text: [`${kind}: ${claim}`, `  ${evidence ?? reason}`, ...places].join("\n"), data: { ...checked } };
      },
    ),
    {
      name: "sources",
      agent: "academic",
      summary: "List the sources of the project",
      async run(_line, { signal }) {
        const { items } = await research("research.sources", { limit: 100 }, signal);
        const lines = items.map(({ kind, title, documents, id }) => `${kind}  ${title}  ${documents} documents  ${id}`);
        return { text: lines.join("\n") || "This project has no source yet: /ingest docs", data: { items } };
      },
    },
  ];
}

type About = (words: string, signal: AbortSignal, options: Readonly<Record<string, unknown>>) => Promise<unknown>;

/** The words for people, the rest for programs. */
function inWords<Answer extends { readonly text: string }>(answer: Answer) {
  return { text: answer.text, data: { ...answer } };
}

function missing(message: string): DomainError {
  return invalidInput("args", message, { sentence: message });
}
