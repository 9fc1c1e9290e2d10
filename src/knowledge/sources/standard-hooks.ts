/** The hooks that research always has. */
import { stat } from "node:fs/promises";
import { DomainError } from "../../contract/index.ts";
import type { ResearchCache, SourcePorts } from "./ports.ts";

type HookPorts = Pick<SourcePorts, "hooks" | "store" | "fetchPage" | "vectors"> & { readonly cache: ResearchCache };

const vectorsAtOnce = 64;

export function addStandardHooks({ hooks, store, fetchPage, vectors, cache }: HookPorts): void {
  hooks.add("pre-research", {
    name: "academic.kept-research",
    run: async ({ project, key, fresh }) => (fresh ? undefined : cache.find(project, key)),
  });
  hooks.add("post-research", {
    name: "academic.keep-research",
    async run({ project, key, answer }) {
      if (answer.outcome === "answered") await cache.keep(project, key, answer);
    },
  });
  hooks.add("pre-ingest", {
    name: "academic.source-allowed",
    async run({ location, kind, signal }) {
      if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(location)) return existing(location);
      if (kind === "repository") await fetchPage.resolve(location, signal);
      else await fetchPage.check(location, signal);
    },
  });
  if (vectors === undefined) return;
  hooks.add("post-ingest", {
    name: "academic.vectors",
    async run({ id, project }) {
      for (;;) {
        const some = await store.reader.sources.withoutVector(id, vectors.name, vectorsAtOnce);
        if (some.length === 0) return;
        const made = some.map(({ id: passage, text }) => ({ passage, vector: vectors.embed(text) }));
        await store.transact(project, (tx) => tx.sources.addVectors(vectors.name, made));
      }
    },
  });
}

async function existing(location: string): Promise<undefined> {
  const found = await stat(location).catch(() => undefined);
  if (found?.isFile() === true || found?.isDirectory() === true) return undefined;
  throw new DomainError("source.unreadable", `"${location}" is neither a file nor a folder`, { details: { location } });
}
