/**
 * Git behind the client interface: the hooks that see a commit, which send what they know as records that end with NUL,
 * because a file name may hold anything else.
 *
 *   tree=<folder> agent=<name> session=<client>:<key> pid=<pid> ancestors=<pid,pid> override=<reason> token=<number>
 *   form=raw <empty> what `git diff --raw --numstat -z` says; without a form: path path …
 *
 * After a commit also commit=<hash> and subject=<first line>. brings=others: a merge or pick, whose changes others made.
 */
import {
  ClientName,
  DomainError,
  type ClientAdapterV1,
  type HookEvent,
  type HookSession,
} from "../../contract/index.ts";
import { canBeHeld } from "../../coordination/globs/index.ts";
import { parseChanges } from "../git/index.ts";

type Facts = ReadonlyMap<string, string>;

const mostAncestors = 64;

export const gitGate: ClientAdapterV1 = {
  version: 1,
  name: "git",
  tell: (_event, text) => text,
  readEvent(event, body) {
    if (event !== "pre-commit" && event !== "reference-transaction" && event !== "post-commit") return undefined;
    const records = Buffer.from(body).toString("latin1").split("\0");
    const end = records.indexOf("");
    const facts = factsIn(body);
    const cwd = facts.get("tree");
    if (cwd === undefined || cwd === "")
      throw new DomainError("input.malformed", "The commit gate was not told the tree", {
        details: { reason: "tree" },
      });
    const changes = end === -1 ? [] : changesIn(records.slice(end + 1), facts);
    if (changes.length === 0) return undefined;
    return event === "post-commit" ? committedOf(cwd, changes, facts) : commitOf(cwd, changes, facts);
  },
};

/** The records up to the first empty one. */
export function factsIn(body: Uint8Array): Facts {
  const records = Buffer.from(body).toString("latin1").split("\0");
  const end = records.indexOf("");
  const told = (end === -1 ? records : records.slice(0, end)).map(utf8);
  return new Map(told.map((record) => record.split(/=(.*)/s, 2) as [string, string]));
}

type Change = { readonly path: string; readonly takesAway: boolean };

function changesIn(records: readonly string[], facts: Facts): readonly Change[] {
  if (facts.get("form") === "raw") {
    // Numbers come last: a list that ends in the middle would let a path through that was not checked.
    if (records.findLast((record) => record !== "")?.startsWith(":"))
      throw new DomainError("input.malformed", "The commit gate was told only a part of the changes", {
        details: { reason: "changes" },
      });
    return parseChanges(records.join("\0"));
  }
  return records.filter((path) => path !== "").map((path) => ({ path: utf8(path), takesAway: false }));
}

function commitOf(cwd: string, changes: readonly Change[], facts: Facts): HookEvent {
  const token = facts.get("token");
  const removes = facts.has("brings") ? [] : changes.filter(({ takesAway }) => takesAway).map(({ path }) => path);
  return {
    kind: "commit",
    cwd,
    paths: changes.map(({ path }) => path),
    ...byWhom(facts),
    override: facts.get("override")?.trim().slice(0, 500) || undefined,
    removes,
    fencingToken: token === undefined ? undefined : tokenIn(token),
  };
}

/** What is not a number is refused like a number that was never issued: it must not count as no token at all. */
function tokenIn(text: string): number {
  return /^[1-9]\d{0,15}$/.test(text) ? Number(text) : 0;
}

function committedOf(cwd: string, changes: readonly Change[], facts: Facts): HookEvent | undefined {
  const paths = changes.map(({ path }) => path).filter(canBeHeld);
  const commit = facts.get("commit") ?? "";
  if (paths.length === 0 || commit === "") return undefined;
  return {
    kind: "committed",
    cwd,
    paths,
    commit,
    subject: facts.get("subject")?.trim().slice(0, 300) ?? "",
    ...byWhom(facts),
  };
}

export function byWhom(facts: Facts) {
  return {
    actAs: facts.get("agent") || undefined,
    session: sessionOf(facts),
    ancestors: (facts.get("ancestors") ?? "")
      .split(",")
      .map(Number)
      .filter((pid) => Number.isSafeInteger(pid) && pid > 1)
      .slice(0, mostAncestors),
  };
}

function utf8(bytes: string): string {
  return Buffer.from(bytes, "latin1").toString("utf8");
}

function sessionOf(facts: Facts): HookSession | undefined {
  const [client, key = ""] = (facts.get("session") ?? "").split(/:(.*)/s, 2);
  const kind = ClientName.safeParse(client);
  if (!kind.success || key === "" || key.length > 200) return undefined;
  const pid = Number(facts.get("pid"));
  return { key, client: kind.data, ...(Number.isSafeInteger(pid) && pid > 0 ? { pid } : {}) };
}
