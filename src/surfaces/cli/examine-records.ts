/** The records' checks of `sylk doctor`, asked of a healthy daemon: the audit, keys of providers, incidents, orphans. */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { DomainError } from "../../contract/errors.ts";
import type { OutputOf } from "../../contract/index.ts";
import { incidentsText } from "../../contract/situation.ts";
import { readUserToken, type HomePaths } from "../../platform/home/index.ts";
import { socketTransport } from "../transport/index.ts";
import type { Finding, DoctorTerms } from "./finding.ts";

export async function checkRecords({ paths }: DoctorTerms): Promise<readonly Finding[]> {
  const found = await Promise.all(
    [
      checkAudit,
      checkProviders,
      checkIncidents,
      checkGuard,
      checkOverwritten,
      checkOrphans,
      checkIndexes,
      checkLanguages,
    ].map(async (check) => {
      try {
        return (await check(paths)) ?? [];
      } catch (error) {
        // A daemon that does not answer, or cannot, has a finding of its own.
        if (error instanceof DomainError) return [];
        throw error;
      }
    }),
  );
  return found.flat();
}

async function checkAudit(paths: HomePaths): Promise<Finding> {
  const { intact, entries, problem } = await ask<OutputOf<"audit.verify">>(paths, "/v1/audit/verify");
  if (intact) return { check: "audit", state: "ok", what: `intact; entries: ${entries}` };
  const { what = "the chain is broken", fix = '"sylk audit verify" shows more' } = problem ?? {};
  return { check: "audit", state: "problem", what, fix };
}

/** Said only where one was needed. */
async function checkLanguages(paths: HomePaths): Promise<Finding | undefined> {
  const { items } = await ask<OutputOf<"language-server.list">>(paths, "/v1/language-servers");
  const check = "languages";
  const [broken] = items.filter(({ state, lastFailure }) => lastFailure !== undefined && state !== "running");
  if (broken !== undefined)
    return {
      check,
      state: "warning",
      what: `${broken.server} in ${broken.tree} ended by itself: ${broken.lastFailure ?? "unknown"}`,
      fix: "run it by hand to see why; until then answers come from the next provider",
    };
  const running = items.filter(({ state }) => state === "running").map(({ server, pid }) => `${server} (pid ${pid})`);
  return running.length === 0 ? undefined : { check, state: "ok", what: `language servers: ${running.join(", ")}` };
}

/** Not a defect: some commands have unknown write targets. The user has to see them all the same. */
async function checkGuard(paths: HomePaths): Promise<Finding> {
  const { unguarded, degraded } = await ask<OutputOf<"health.show">>(paths, "/v1/health");
  if (unguarded + degraded === 0) return { check: "guard", state: "ok", what: "no unguarded tool calls" };
  const what = `unguarded tool calls: ${degraded} without an answer, ${unguarded} with unknown write targets`;
  return { check: "guard", state: "warning", what, fix: '"sylk health" shows where; guard.policy strict stops them' };
}

/** Files that were written past their holder; named until the finding is decided. Nothing to say where there are none. */
async function checkOverwritten(paths: HomePaths): Promise<Finding | undefined> {
  const query = "/v1/findings?category=unguarded-write&status=open&limit=50";
  const { items } = await ask<OutputOf<"finding.list">>(paths, query);
  const [first] = items;
  if (first === undefined) return undefined;
  const named = items.slice(0, 5).map(({ files }) => files[0]?.path ?? "?");
  const more = items.length > named.length ? ` and ${items.length - named.length} more` : "";
  const restore = /sylk file restore .*/.exec(first.evidence ?? "")?.[0] ?? `sylk file history ${named[0]}`;
  return {
    check: "overwritten",
    state: "warning",
    what: `files written past their holder: ${named.join(" ")}${more}`,
    fix: `${restore}; then "sylk finding mark ${first.id} fixed --why restored"`,
  };
}

async function checkProviders(paths: HomePaths): Promise<Finding> {
  const { items } = await ask<OutputOf<"provider.list">>(paths, "/v1/providers");
  const lacking = items.filter(({ problem }) => problem !== undefined);
  if (items.length === 0)
    return {
      check: "providers",
      state: "ok",
      what: 'none; runs need one, coordination does not: "sylk provider add --help"',
    };
  if (lacking.length === 0)
    return { check: "providers", state: "ok", what: `${items.length} configured; "sylk provider test" tests one` };
  return {
    check: "providers",
    state: "problem",
    what: lacking.map(({ name, problem }) => `${name}: ${problem}`).join("; "),
    fix: `sylk down, then any command from a shell that has the variable; or sylk provider add ${lacking[0]!.name} … --key -`,
  };
}

async function checkIncidents(paths: HomePaths): Promise<Finding> {
  const { items } = await ask<OutputOf<"incident.list">>(paths, "/v1/incidents");
  if (items.length === 0) return { check: "incidents", state: "ok", what: "none unresolved" };
  const what = incidentsText(items.map(({ summary }) => summary));
  return { check: "incidents", state: "warning", what, fix: items[0]!.fix };
}

/** Working trees of runs that are not known any more; nothing deletes them by itself. */
async function checkOrphans(paths: HomePaths): Promise<Finding> {
  const folder = join(paths.home, "worktrees");
  const trees = existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [];
  const known = trees.length === 0 ? new Set<string>() : await treesOfRuns(paths);
  const orphans = trees.filter((tree) => !known.has(tree) && !tree.includes(".incomplete"));
  if (orphans.length === 0) return { check: "orphans", state: "ok", what: "no worktree without a run" };
  return {
    check: "orphans",
    state: "warning",
    what: `${orphans.length} worktrees without a run: ${orphans.slice(0, 5).join(" ")}`,
    fix: `check for work you need ("git -C ${orphans[0]} status"), then: git -C ${orphans[0]} worktree remove --force ${orphans[0]}`,
  };
}

/** Indexes of sessions that are gone; the daemon removes them when it starts, when a session begins, and every hour. */
async function checkIndexes(paths: HomePaths): Promise<Finding> {
  const folder = join(paths.home, "indexes");
  const names = existsSync(folder) ? readdirSync(folder) : [];
  const orphans: string[] = [];
  for (const name of names) if (!(await isThere(name, paths))) orphans.push(join(folder, name));
  const check = "indexes";
  if (orphans.length === 0)
    return {
      check,
      state: "ok",
      what: names.length === 0 ? "no session has a private index" : `${names.length} in use`,
    };
  const what = `${orphans.length} private indexes without a session: ${orphans.slice(0, 5).join(" ")}`;
  return {
    check,
    state: "warning",
    what,
    fix: `the daemon removes them when it or the next session starts; or: rm -r ${orphans[0]}`,
  };
}

async function isThere(agent: string, paths: HomePaths): Promise<boolean> {
  try {
    const found = await ask<OutputOf<"agent.get">>(paths, `/v1/agents/${encodeURIComponent(agent)}`);
    return found.agent.status !== "ended";
  } catch (error) {
    const { status } = error instanceof DomainError ? error.details : {};
    if (status === 404 || status === 400) return false; // gone, or a name that no agent has
    throw error;
  }
}

async function treesOfRuns(paths: HomePaths): Promise<ReadonlySet<string>> {
  const trees = new Set<string>();
  let cursor: string | undefined;
  do {
    const page = cursor === undefined ? "" : `&cursor=${encodeURIComponent(cursor)}`;
    const { items, nextCursor } = await ask<OutputOf<"run.list">>(paths, `/v1/runs?limit=500${page}`);
    for (const { workspace } of items) if (workspace !== undefined) trees.add(workspace.tree);
    cursor = nextCursor;
  } while (cursor !== undefined);
  return trees;
}

/** Without the typed client: the doctor starts fast, and looks at no field it does not know. */
async function ask<T>({ socket, token }: HomePaths, path: string): Promise<T> {
  const { status, body } = await socketTransport(socket, { timeoutMs: 10_000 })({
    method: "GET",
    path,
    headers: { authorization: `Bearer ${readUserToken(token) ?? ""}` },
  });
  if (status !== 200)
    throw new DomainError("daemon.unreachable", `it answered with HTTP ${status}`, { details: { status } });
  return JSON.parse(body) as T;
}
