/** Slash commands of the Academic. */
import { type DomainError, invalidInput } from "../../contract/index.ts";
import type { ResearchDesk } from "../../knowledge/sources/index.ts";
import type { SlashCommand } from "../skills/index.ts";
import { usual } from "./skill-handlers.ts";

export function academicCommands(research: ResearchDesk): readonly SlashCommand[] {
  const about = (name: string, summary: string, example: string, run: About): SlashCommand => ({
    name,
    agent: "academic",
    summary,
    async run({ args }, { signal }) {
      const words = args.join(" ").trim();
      if (words === "") throw missing(`/${name} needs a word: /${name} ${example}`);
      return run(words, signal);
    },
  });
  return [
    about("research", "Answer a question from the sources", "how long is a lease kept?", (question, signal) =>
      research("research.ask", { ...usual, question }, signal),
    ),
    about("compare", "Compare approaches by what the sources say", "leases vs locks", (topic, signal) =>
      research("research.compare", { ...usual, topic, approaches: [] }, signal),
    ),
    about(
      "ingest",
      "Add a source: a path in the tree, or an address of an allowed host",
      "docs",
      async (location, signal) => {
        const added = await research(
          "research.add",
          { location, kind: undefined, title: undefined, pages: 50, depth: 3, deep: false },
          signal,
        );
        const { title, documents, id } = added.source;
        return { text: `${title}: ${documents} documents read  ${id}`, data: { ...added } };
      },
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

type About = (words: string, signal: AbortSignal) => Promise<unknown>;

function missing(message: string): DomainError {
  return invalidInput("args", message, { sentence: message });
}
