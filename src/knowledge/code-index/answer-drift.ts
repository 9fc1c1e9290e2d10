/**
 * Which documents speak of code that has changed since a revision.
 *
 *   git diff since..working tree -> changed files -> symbols before (git's content) and now (index) -> changes
 *   documents of the tree x changes -> score, reasons -> verdict
 *
 * Invariant: "none" only where every changed file and every document was read to its end; else the verdict is "unknown".
 */
import { type InputOf, type OutputOf } from "../../contract/index.ts";
import { type ChangedFile, compareSymbols } from "./compare-symbols.ts";
import { baseCommit, changesSince, type FileChange, goneFolders, whereChanged } from "./diff-since.ts";
import { symbolsIn } from "./list-symbols.ts";
import { insideTree } from "./outline.ts";
import { type DriftChange, scoreDrift, sentenceOf } from "./score-drift.ts";
import { readNow } from "./search-text.ts";
import { type Answered, filesOf, type QuestionPorts, type View } from "./view.ts";

type Answer = Answered<Omit<OutputOf<"code.drift">, "about">>;
type Unread = { path: string; reason: string };
type Ports = Pick<QuestionPorts, "git" | "parser" | "pause">;

const mostChanges = 2_000;
const mostSymbols = 20_000;
const mostReasons = 20;
const isDocument = (path: string): boolean => /\.(?:md|markdown|mdx|rst|txt|adoc|asciidoc)$/i.test(path);

export async function answerDrift(question: InputOf<"code.drift">, view: View, ports: Ports): Promise<Answer> {
  const commit = await baseCommit(question.since, view.root, ports.git);
  const unread: Unread[] = [];
  const listed = commit === null ? [] : await changesSince(commit, view.root, ports.git);
  const all = listed.filter(({ path, hash }) => hash === undefined || hash !== hashOf(path, view));
  for (const { path } of all.slice(mostChanges))
    unread.push({ path, reason: `more than ${mostChanges} files changed; name a later revision` });
  const changed = all.slice(0, mostChanges);
  const changes = [...(await symbolChanges(changed, view, ports, unread)), ...gonePaths(changed, view)];
  const drifted = await driftOf(question.path ?? ".", changes, view, ports, unread);
  const shown = drifted.slice(0, question.limit);
  const whenOf = whereChanged({ base: commit, changed, tree: view.root }, ports);
  const documents: OutputOf<"code.drift">["documents"] = [];
  for (const { path, score, reasons } of shown) {
    const told = [];
    for (const { change, line, column } of reasons.slice(0, mostReasons)) {
      const changedIn = await whenOf(change);
      const { kind, name, was } = change;
      told.push({ kind, name, line, column, was, changedIn, sentence: sentenceOf(change, changedIn) });
    }
    documents.push({ path, score, reasons: told, moreReasons: Math.max(0, reasons.length - mostReasons) });
  }
  return {
    verdict: drifted.length > 0 ? "drift" : unread.length > 0 ? "unknown" : "none",
    since: { asked: question.since, commit },
    changes: {
      files: all.length,
      removed: changes.filter(({ kind }) => kind === "symbol-removed").length,
      signatures: changes.filter(({ kind }) => kind === "signature-changed").length,
      paths: changes.filter(({ kind }) => kind === "path-gone").length,
    },
    documents,
    unread: unread.slice(0, question.limit),
    more: drifted.length > question.limit || unread.length > question.limit,
    rests: { provider: "syntax", confidence: "likely" },
  };
}

async function symbolChanges(changed: readonly FileChange[], view: View, ports: Ports, unread: Unread[]) {
  const known = new Map(filesOf(view).map((file) => [file.path, file]));
  const files: ChangedFile[] = [];
  const pairs = changed.filter(({ path, hash }) => hash !== undefined && !isDocument(path));
  await eachOf(pairs, ports.parser.width, async ({ path, hash, isGone }) => {
    const reply = await ports.parser.parse({ tree: view.root, path, hash: hash!, inGit: true });
    if (reply.state === "changed") return unread.push({ path, reason: "git does not have its former content here" });
    if (reply.state !== "parsed") return unread.push({ path, reason: `its former content: ${reply.reason}` });
    const { symbols, partialReason } = reply.content.facts;
    if (partialReason !== undefined)
      unread.push({ path, reason: `its former content was not parsed to its end (${partialReason})` });
    const now = known.get(path);
    if (now === undefined && !isGone) return unread.push({ path, reason: "it is not indexed now" });
    const after = now === undefined ? [] : symbolsIn(view, { kind: "any", in: path, blob: now.blob }, mostSymbols);
    const partial = now === undefined ? undefined : partialOf(now.blob, view);
    if (partial !== undefined) unread.push({ path, reason: `it was not parsed to its end (${partial})` });
    const text = partial === undefined ? undefined : readNow(view.root, path);
    const mayStillHave = (name: string): boolean => partial !== undefined && (text?.includes(name) ?? true);
    return files.push({ path, before: symbols, after, mayStillHave });
  });
  return compareSymbols(files, (name) => isDefined(name, view));
}

function gonePaths(changed: readonly FileChange[], view: View): readonly DriftChange[] {
  const gone = changed.filter(({ isGone }) => isGone).map(({ path }) => path);
  const left = pathsOf(view);
  return [...gone, ...goneFolders(gone, left)].map((path) => ({ kind: "path-gone", name: path, was: { path } }));
}

async function driftOf(place: string, changes: readonly DriftChange[], view: View, { pause }: Ports, unread: Unread[]) {
  const below = insideTree(place);
  const isAsked = (path: string): boolean => below === "" || path === below || path.startsWith(`${below}/`);
  unread.push(...documentsLeftOut(view).filter(({ path }) => isDocument(path) && isAsked(path)));
  const drifted = [];
  for (const { path } of filesOf(view).filter((file) => isDocument(file.path) && isAsked(file.path))) {
    await pause();
    const text = readNow(view.root, path);
    if (text === undefined) unread.push({ path, reason: "cannot be read now" });
    else drifted.push({ path, ...scoreDrift({ path, text }, changes) });
  }
  return drifted
    .filter(({ reasons }) => reasons.length > 0)
    .sort((a, b) => b.score - a.score || (a.path < b.path ? -1 : 1));
}

function isDefined(name: string, { sql, tree }: View): boolean {
  return (
    sql.get(
      `SELECT 1 FROM name n JOIN symbol s ON s.name = n.id JOIN tree_file f ON f.blob = s.blob AND f.tree = ?
       WHERE n.text = ? AND s.kind <> 'heading' LIMIT 1`,
      tree,
      name,
    ) !== undefined
  );
}

function hashOf(path: string, { sql, tree }: View): string | undefined {
  const row = sql.get(
    `SELECT lower(hex(b.hash)) AS hash FROM tree_file f JOIN path p ON p.id = f.path JOIN blob b ON b.id = f.blob
     WHERE f.tree = ? AND p.text = ?`,
    tree,
    path,
  );
  return row?.hash as string | undefined;
}

function partialOf(blob: number, { sql }: View): string | undefined {
  return (sql.get("SELECT partial FROM blob WHERE id = ?", blob)?.partial as string | null | undefined) ?? undefined;
}

function pathsOf({ sql, tree }: View): readonly string[] {
  return sql
    .all(
      `SELECT p.text AS path FROM tree_file f JOIN path p ON p.id = f.path WHERE f.tree = ?
       UNION ALL SELECT p.text FROM tree_skip s JOIN path p ON p.id = s.path WHERE s.tree = ?`,
      tree,
      tree,
    )
    .map(({ path }) => path as string);
}

/** A link leads to a document that is read under its own name. */
function documentsLeftOut({ sql, tree }: View): readonly Unread[] {
  return sql
    .all(
      `SELECT p.text AS path, s.reason FROM tree_skip s JOIN path p ON p.id = s.path WHERE s.tree = ?
       UNION ALL
       SELECT p.text, coalesce(b.reason, 'not read yet') FROM blob b JOIN tree_file f ON f.tree = ? AND f.blob = b.id
       JOIN path p ON p.id = f.path WHERE b.state <> 'indexed'`,
      tree,
      tree,
    )
    .map(({ path, reason }) => ({ path: path as string, reason: reason as string }))
    .filter(({ reason }) => !reason.startsWith("a symbolic link"));
}

async function eachOf<T>(items: readonly T[], width: number, work: (item: T) => Promise<unknown>): Promise<void> {
  const queue = items.values();
  const worker = async (): Promise<void> => {
    for (const item of queue) await work(item);
  };
  await Promise.all(Array.from({ length: Math.max(1, width) }, worker));
}
