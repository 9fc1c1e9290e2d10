/**
 * Adds a source: located, read document by document in another thread, stored in small steps, then searched.
 *
 *   location -> pre-ingest -> documents -> passages, some at a time -> ready (one transaction, event) -> post-ingest
 *
 * The same location again is read anew and takes the place of the older source. What a crash leaves half read is never
 * searched, and goes with the next change.
 */
import { stat } from "node:fs/promises";
import { basename } from "node:path";
import {
  type Caller,
  DomainError,
  type InputOf,
  messageOf,
  type OutputOf,
  research as contract,
  type SourceId,
} from "../../contract/index.ts";
import type { Call } from "../../platform/operations/index.ts";
import { collectFolder, readWhole, type SkippedFile } from "./collect-documents.ts";
import { crawlSite } from "./crawl-site.ts";
import { type DocumentType, type ReadRequest, typeOfName, typeWithCode } from "./document-reader.ts";
import type { FoundDocument, Gathered } from "./gathered.ts";
import { placeOf } from "./place-of.ts";
import type { SourcePorts, SourceRepositories } from "./ports.ts";
import { projectOf } from "./project-of.ts";
import { readPage } from "./read-page.ts";
import { qualityOf } from "./source-quality.ts";
import type { SourceRecord } from "./store.ts";
import { viewSource } from "./view-source.ts";

type Added = OutputOf<"research.add">;
type Skip = (skipped: SkippedFile) => void;

const mostShown = 20;
const mostNotes = 20;
/** Passages of one transaction: the writer is held for some milliseconds. */
const passagesAtOnce = 48;
const removedAtOnce = 64;

export function createSourceAdder(ports: SourcePorts) {
  const reading = new Set<SourceId>();

  async function addSource(input: InputOf<"research.add">, call: Call<SourceRepositories>): Promise<Added> {
    const project = projectOf(call.caller);
    const signal = call.signal ?? new AbortController().signal;
    const skipped: SkippedFile[] = [];
    const gathered = await gather(input, call.caller, { ports, signal, skip: (one) => skipped.push(one), project });
    const id = ports.ids.next("src");
    reading.add(id);
    try {
      const begun: SourceRecord = {
        id,
        project,
        kind: gathered.kind,
        location: gathered.location,
        title: input.title ?? gathered.title ?? basename(gathered.location),
        documents: 0,
        passages: 0,
        bytes: 0,
        quality: 0,
        notes: [],
        addedAt: ports.clock.now(),
      };
      const { store } = ports;
      await store.transact(project, (tx) => tx.sources.begin(begun));
      const read = await storeDocuments(begun, gathered, input.title !== undefined, ports, signal);
      if (read.documents === 0) throw nothingIn(gathered.location, skipped);
      const source: SourceRecord = { ...begun, ...read, notes: notesOf(read.notes, skipped) };
      const older = (await store.reader.sources.at(project, source.location)).filter((one) => one.id !== id);
      const answer = {
        source: viewSource(source),
        replaced: older.length > 0,
        skipped: skipped.slice(0, mostShown),
        skippedCount: skipped.length,
      };
      await call.transact(project, async (tx) => {
        await tx.sources.finish(source);
        for (const one of older) await tx.sources.leave(one.id);
        await tx.events.append(project, contract.SourceAdded.of(id, { source: viewSource(source) }));
        return answer;
      });
      await ports.hooks.after("post-ingest", source);
      return answer;
    } finally {
      reading.delete(id);
      await sweep();
    }
  }

  /** Removes the text of sources that are not searched any more, some at a time. */
  async function sweep(): Promise<void> {
    const { store } = ports;
    const left = (await store.reader.sources.unfinished()).filter((id) => !reading.has(id));
    if (left.length === 0) return;
    await store.transact("sources", async (tx) => {
      for (const id of left) await tx.sources.leave(id);
    });
    while ((await store.transact("sources", (tx) => tx.sources.removeSome(removedAtOnce))) > 0);
  }

  return { addSource, sweep };
}

type GatherTerms = {
  readonly ports: SourcePorts;
  readonly signal: AbortSignal;
  readonly skip: Skip;
  readonly project: SourceRecord["project"];
};

async function gather(input: InputOf<"research.add">, caller: Caller, terms: GatherTerms): Promise<Gathered> {
  const { ports, signal, skip, project } = terms;
  const place = await placeOf(input.location, caller, ports.treeOf);
  await ports.hooks.before("pre-ingest", { project, location: place.location, kind: input.kind, signal });
  if (place.where === "network") {
    if (input.kind === "repository") return repository(place.location, input.deep, terms);
    if (input.kind === "documentation") return crawlSite(place.location, input, { ...ports, signal, skip });
    return readPage(place.location, input.kind, { ...ports, signal });
  }
  const { location: path } = place;
  const isFolder = (await stat(path)).isDirectory();
  if (input.kind === "repository") return repository(path, input.deep, terms);
  if (isFolder) return { kind: "folder", location: path, title: basename(path), documents: ofFolder(path, terms) };
  const type = typeOfName(basename(path)) ?? "text";
  const document = await read({ bytes: await readWhole(path, ports.maxBytes), type, location: path }, terms);
  const kind = input.kind ?? (document.isRfc ? "rfc" : type === "pdf" ? "paper" : "file");
  return { kind, location: path, title: document.title, documents: one({ location: path, document }) };
}

async function repository(location: string, deep: boolean, terms: GatherTerms): Promise<Gathered> {
  const { tree, title, overview, commit } = await terms.ports.openRepository(location, terms.signal);
  return {
    kind: "repository",
    location,
    title,
    notes: commit === null ? [] : [`read at commit ${commit.slice(0, 12)}`],
    documents: (async function* () {
      const bytes = Buffer.from(overview);
      const document = await read({ bytes, type: "markdown", location }, terms);
      yield { location: "code", title: `${title}: how its code is built`, document };
      yield* ofFolder(tree, terms, deep);
    })(),
  };
}

async function* ofFolder(root: string, terms: GatherTerms, withCode = false): AsyncGenerator<FoundDocument> {
  const { ports, skip } = terms;
  const { files, skipped } = await collectFolder(root, ports.maxBytes, withCode ? typeWithCode : typeOfName);
  skipped.forEach(skip);
  for (const { path, location, type } of files) {
    try {
      const document = await read({ bytes: await readWhole(path, ports.maxBytes), type, location }, terms);
      yield { location, document };
    } catch (error) {
      if (terms.signal.aborted) throw error;
      skip({ location, reason: messageOf(error) });
    }
  }
}

function read(
  request: ReadRequest & { readonly type: DocumentType },
  { ports, signal }: Pick<GatherTerms, "ports" | "signal">,
) {
  return ports.reader.read(request, signal);
}

async function* one<T>(value: T): AsyncGenerator<T> {
  yield value;
}

type Counted = Pick<SourceRecord, "documents" | "passages" | "bytes" | "quality" | "notes" | "kind" | "title">;

async function storeDocuments(
  source: SourceRecord,
  gathered: Gathered,
  isNamed: boolean,
  { store, clock }: SourcePorts,
  signal: AbortSignal,
): Promise<Counted> {
  const { project, id } = source;
  const counted = { documents: 0, passages: 0, bytes: 0, quality: 0 };
  const notes = [...(gathered.notes ?? [])];
  let { title } = source;
  for await (const { location, title: given, document } of gathered.documents) {
    signal.throwIfAborted();
    if (document.passages.length === 0) continue;
    const own = given ?? document.title ?? (URL.canParse(location) ? location : basename(location));
    if (counted.documents === 0 && !isNamed && gathered.title === undefined) title = own;
    const quality = qualityOf(document.isRfc ? "rfc" : source.kind, document, clock.now());
    const row = await store.transact(project, (tx) => tx.sources.addDocument(id, { location, title: own, quality }));
    for (let at = 0; at < document.passages.length; at += passagesAtOnce) {
      const some = document.passages.slice(at, at + passagesAtOnce);
      await store.transact(project, (tx) => tx.sources.addPassages(row, { project, title: own }, some));
    }
    notes.push(...document.notes.map((note) => `${location}: ${note}`));
    counted.documents++;
    counted.passages += document.passages.length;
    counted.bytes += document.bytes;
    counted.quality += quality;
  }
  const { documents } = counted;
  return {
    ...counted,
    kind: source.kind,
    title,
    quality: documents === 0 ? 0 : Math.round((counted.quality / documents) * 100) / 100,
    notes,
  };
}

function notesOf(notes: readonly string[], skipped: readonly SkippedFile[]): string[] {
  const all = [...notes, ...skipped.map(({ location, reason }) => `${location} was not read: ${reason}`)];
  return all.length <= mostNotes ? all : [...all.slice(0, mostNotes), `and ${all.length - mostNotes} more`];
}

function nothingIn(location: string, skipped: readonly SkippedFile[]): DomainError {
  const [first] = skipped;
  const why =
    first === undefined ? "it has no Markdown, text, HTML or PDF document" : `${first.location}: ${first.reason}`;
  return new DomainError("source.unreadable", `${location} has nothing to read: ${why}`, { details: { location } });
}
