/**
 * Git behind the client interface: the hooks that see a commit, which send what they know as records that end with NUL,
 * because a file name may hold anything else.
 *
 *   tree=<folder> agent=<name> session=<client>:<key> pid=<pid> ancestors=<pid,pid> override=<reason> <empty> path path …
 */
import {
  ClientKind,
  DomainError,
  type ClientAdapterV1,
  type HookEvent,
  type HookSession,
} from "../../contract/index.ts";

const mostAncestors = 64;

export const gitGate: ClientAdapterV1 = {
  version: 1,
  name: "git",
  tell: (_event, text) => text,
  readEvent(event, body) {
    if (event !== "pre-commit" && event !== "reference-transaction") return undefined;
    const records = new TextDecoder().decode(body).split("\0");
    const end = records.indexOf("");
    const told = end === -1 ? records : records.slice(0, end);
    const facts = new Map(told.map((record) => record.split(/=(.*)/s, 2) as [string, string]));
    const cwd = facts.get("tree");
    if (cwd === undefined || cwd === "")
      throw new DomainError("input.malformed", "The commit gate was not told the tree", {
        details: { reason: "tree" },
      });
    const paths = end === -1 ? [] : records.slice(end + 1).filter((path) => path !== "");
    return paths.length === 0 ? undefined : commitOf(cwd, paths, facts);
  },
};

function commitOf(cwd: string, paths: readonly string[], facts: ReadonlyMap<string, string>): HookEvent {
  return {
    kind: "commit",
    cwd,
    paths,
    actAs: facts.get("agent") || undefined,
    session: sessionOf(facts),
    ancestors: (facts.get("ancestors") ?? "")
      .split(",")
      .map(Number)
      .filter((pid) => Number.isSafeInteger(pid) && pid > 1)
      .slice(0, mostAncestors),
    override: facts.get("override")?.trim().slice(0, 500) || undefined,
  };
}

function sessionOf(facts: ReadonlyMap<string, string>): HookSession | undefined {
  const [client, key = ""] = (facts.get("session") ?? "").split(/:(.*)/s, 2);
  const kind = ClientKind.safeParse(client);
  if (!kind.success || key === "" || key.length > 200) return undefined;
  const pid = Number(facts.get("pid"));
  return { key, client: kind.data, ...(Number.isSafeInteger(pid) && pid > 0 ? { pid } : {}) };
}
