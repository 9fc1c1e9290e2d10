/** Door of sources: what the Academic and the research commands answer from. */
export { createResearch, type ResearchDesk, type ResearchPlace } from "./create-research.ts";
export { decodeText } from "./decode-text.ts";
export type { DocumentReader, ReadDocument, ReadRequest } from "./document-reader.ts";
export type { FetchedPage, FetchPage } from "./fetch-page.ts";
export { hashingVectors } from "./hashing-vectors.ts";
export { createRepositoryOpener } from "./open-repository.ts";
export type { SourcePorts } from "./ports.ts";
export { documentOf, readPlain } from "./read-plain.ts";
export { archivedResearch } from "./research-cache.ts";
export { createResearchHooks } from "./research-hooks.ts";
export { addStandardHooks } from "./standard-hooks.ts";
export type { SourceRepository } from "./store.ts";
export { sqliteSources } from "./store.sqlite.ts";
