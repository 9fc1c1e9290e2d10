/** The Academic's skills with what they do: each is an operation of research, for the caller's project and tree. */
import type { ResearchDesk } from "../../knowledge/sources/index.ts";
import { callable, type CallableSkill } from "../skills/index.ts";
import { findFiles as findFilesIn, type KnownFiles } from "../shared/known-files/index.ts";
import { recommendTools, type ToolNames } from "./recommend-tools.ts";
import {
  compareApproaches,
  findExamples,
  findFiles,
  findRfc,
  generatePaper,
  ingestArticle,
  ingestGithub,
  researchSkill,
  researchTools,
} from "./skills.ts";

export type AcademicPorts = {
  readonly research: ResearchDesk;
  readonly files: KnownFiles;
  readonly toolNames: ToolNames;
  readonly year: () => number;
};

export const usual = {
  maxSources: 5,
  fresh: false,
  model: false,
  kind: undefined,
  provider: undefined,
  rehearse: undefined,
} as const;
const crawl = { pages: 50, depth: 3, deep: false, title: undefined } as const;

export function academicCallables({ research, files, toolNames, year }: AcademicPorts): readonly CallableSkill[] {
  return [
    callable(researchSkill, "change", ({ query, max_sources: maxSources = usual.maxSources }, { signal }) =>
      research("research.ask", { ...usual, question: query, maxSources }, signal),
    ),
    callable(findExamples, "read", ({ topic, language }, { signal }) =>
      research("research.examples", { topic, language, limit: 5 }, signal),
    ),
    callable(ingestGithub, "change", ({ url, deep = false }, { signal }) =>
      research("research.add", { ...crawl, location: url, kind: "repository", deep }, signal),
    ),
    callable(ingestArticle, "change", ({ url }, { signal }) =>
      research("research.add", { ...crawl, location: url, kind: undefined }, signal),
    ),
    callable(compareApproaches, "read", ({ topic, approaches = [] }, { signal }) =>
      research("research.compare", { ...usual, topic, approaches }, signal),
    ),
    callable(findRfc, "read", async ({ topic }, { signal }) => {
      const asked = { ...usual, question: topic, kind: "rfc" as const };
      const { outcome, claims, citations, text } = await research("research.ask", asked, signal);
      return { outcome, sections: citations, claims, text };
    }),
    callable(generatePaper, "read", ({ topic, depth = "detailed" }, { signal }) =>
      research("research.paper", { ...usual, topic, depth }, signal),
    ),
    callable(researchTools, "read", ({ languages, category }, { signal }) =>
      recommendTools({ languages, category }, { research, toolNames, year }, signal),
    ),
    findFilesIn(findFiles, files),
  ];
}
