/**
 * Makes `old-store.json`: the rows of a store with runs and graphs in every state, written by the program of this checkout.
 *
 *   node test/faults/old-store/make-old-store.ts      (in a checkout of the version to keep, after `npm run build`)
 *
 * The kept file was made by commit 5dc8e0d, the last one in which runs had an executor of their own (schema 28). Paths and
 * commits of the machine stand in it as placeholders: {{ROOT}}, {{BASE}}, {{COMMIT:name}}.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import type { Run, RunId } from "../../../src/contract/index.ts";
import { killAndWait } from "../../flows/processes.ts";
import { workersUnder } from "../../flows/run-processes.ts";
import { openScratchDaemon } from "../../flows/scratch-daemon.ts";
import { makeQuickShop, nodeOf, patience, shopEnv } from "../../flows/scratch-shop.ts";
import { until } from "../../flows/until.ts";
import { graphs, runNames, turnsOf, type RunName } from "./scenes.ts";

/** Nothing of a run is read from them, and they are most of the bytes. */
const leftOut = new Set(["run.message", "run.spent", "run.skills-loaded"]);

await using daemon = await openScratchDaemon({ env: shopEnv });
const shop = makeQuickShop(daemon);
const client = daemon.clientOf({ project: shop.repository });
const runs = new Map<RunName, Run>();

for (const name of runNames) runs.set(name, await reach(name));
for (const [name, graph] of Object.entries(graphs)) {
  const { dag } = await client.call("dag.run", {
    name,
    project: { path: shop.repository },
    nodes: graph.nodes as never,
  });
  if (name === "graph-paused") await client.call("dag.pause", { id: dag.id });
  const wanted = { "graph-running": "running", "graph-paused": "paused", "graph-waiting": "waiting" }[name];
  await until(
    `${name} is ${wanted}`,
    async () => {
      const { dag: now } = await client.call("dag.show", { id: dag.id });
      return now.status === wanted && (name !== "graph-running" || now.nodes.some(({ state }) => state === "running"));
    },
    patience,
  );
}
const workers = workersUnder(daemon.root);
await daemon.kill();
await Promise.all(workers.map(killAndWait));
writeFileSync(join(import.meta.dirname, "old-store.json"), `${JSON.stringify(keep(), undefined, 1)}\n`);

async function reach(name: RunName): Promise<Run> {
  const rehearse = join(daemon.root, `${name}.yaml`);
  writeFileSync(rehearse, JSON.stringify({ name: "test", turns: turnsOf(name, true) }));
  const { run } = await client.call("run.start", {
    request: `Scene ${name}`,
    project: { path: shop.repository },
    rehearse,
    approve: name !== "awaiting",
    testCommand: ["node", "test/format.test.ts"],
    lintCommand: ["node", "scripts/lint.mjs"],
  });
  const reached = await until(`${name} is where it is wanted`, () => isThere(name, run.id), patience);
  if (name === "paused") return (await client.call("run.interrupt", { id: run.id })).run;
  return reached;
}

async function isThere(name: RunName, id: RunId): Promise<Run | undefined> {
  const { run } = await client.call("run.get", { id });
  const { items } = await client.call("event.list", { limit: 1000 });
  const said = items
    .filter(({ subject, data }) => subject === id || data.run === id)
    .map((event) => JSON.stringify(event));
  const wrote = (file: string): boolean => {
    try {
      return readFileSync(join(run.workspace!.tree, file), "utf8") !== "";
    } catch {
      return false;
    }
  };
  const there: Record<RunName, () => boolean> = {
    awaiting: () => run.status === "awaiting_approval",
    evidence: () => run.status === "unverified",
    verified: () => run.status === "verified",
    failed: () => run.status === "failed",
    planning: () => said.some((event) => event.includes("CONTEXT_RESPONSE")),
    question: () => run.nodes.length === 2 && nodeOf(run, "Node tax").state === "blocked",
    paused: () => wrote("src/tax.ts"),
    working: () => wrote("src/tax.ts"),
    correcting: () => run.nodes.length === 2 && run.nodes[1]!.state === "running" && run.cost.calls > 3,
  };
  return there[name]() ? run : undefined;
}

/** All rows but those that every store has, and what each run has written so far. */
function keep(): object {
  const database = new Database(join(daemon.paths.home, "sylk.db"));
  const names = database
    .prepare<[], { name: string }>(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'",
    )
    .all()
    .map(({ name }) => name)
    .filter((name) => !/^(sqlite_|migrations$|message_search|health_|tokens$|idempotency$|watch)/.test(name));
  const tables = Object.fromEntries(
    names.flatMap((name) => {
      const rows = database.prepare<[], Record<string, unknown>>(`SELECT * FROM ${name}`).all();
      const kept = rows.filter((row) => name !== "events" || !leftOut.has(String(row.type)));
      return kept.length === 0 ? [] : [[name, kept]];
    }),
  );
  const schema = database.prepare<[], { last: number }>("SELECT max(number) AS last FROM migrations").get()!.last;
  database.close();
  const written = Object.fromEntries([...runs].map(([name, run]) => [name, filesOf(run)]));
  const ids = Object.fromEntries([...runs].map(([name, { id }]) => [name, id]));
  const base = shop.git("rev-parse", "HEAD");
  const commits = [...runs].flatMap(([name, { commit }]) => (commit === undefined ? [] : [[name, commit] as const]));
  let text = JSON.stringify({ schema, ids, written, tables });
  for (const [name, commit] of commits) if (commit !== base) text = text.replaceAll(commit, `{{COMMIT:${name}}}`);
  text = text.replaceAll(base, "{{BASE}}").replaceAll(daemon.root, "{{ROOT}}");
  const here = { "{{PATH}}": shopEnv.PATH!, laptop: hostname() };
  for (const [placeholder, own] of Object.entries(here)) text = text.replaceAll(`\\"${own}\\"`, `\\"${placeholder}\\"`);
  return JSON.parse(text) as object;
}

function filesOf({ workspace }: Run): Readonly<Record<string, string>> {
  const { tree, baseCommit } = workspace!;
  const git = (...args: readonly string[]): readonly string[] =>
    shop
      .git("-C", tree, ...args)
      .split("\n")
      .filter(Boolean);
  const paths = [...git("diff", "--name-only", baseCommit), ...git("ls-files", "--others", "--exclude-standard")];
  return Object.fromEntries(paths.map((path) => [path, readFileSync(join(tree, path), "utf8")]));
}
