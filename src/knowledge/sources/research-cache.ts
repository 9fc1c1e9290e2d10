/** Research that was done already: kept by the Archivalist, in the category "research", for all sessions of the project. */
import { history, type ProjectId, type ResearchAnswer } from "../../contract/index.ts";
import type { Store } from "../../platform/store/index.ts";
import type { ArchiveRepository, NewEntry } from "../archive/index.ts";
import type { ResearchCache } from "./ports.ts";

const category = "research";
const largest = 32_768;

export function archivedResearch(store: Store<{ readonly archive: ArchiveRepository }>): ResearchCache {
  return {
    async find(project, key) {
      const entry = await store.reader.archive.find(idOf(project, key), project);
      return entry?.category === category ? (entry.content.answer as ResearchAnswer) : undefined;
    },
    async keep(project, key, answer) {
      const entry: NewEntry = {
        id: idOf(project, key),
        session: history.defaultSession,
        category,
        kind: "entry",
        source: "academic",
        title: answer.question.slice(0, 500),
        content: { key, status: answer.outcome, answer },
        at: answer.at,
      };
      if (Buffer.byteLength(JSON.stringify(entry.content)) > largest) return;
      await store.transact(project, (tx) => tx.archive.keep(project, entry));
    },
  };
}

/** The same research has the same entry. */
function idOf(project: ProjectId, key: string): string {
  return `ent_${project.slice(-4)}${key.slice(0, 18)}`;
}
