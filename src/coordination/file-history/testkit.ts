/**
 * Local history as the daemon wires it: a real SQLite file, real packs, real git and a clock moved by hand.
 *
 *   await using world = openHistory();
 *   world.write("a.ts", "one"); world.history.before(world.by("a.ts")); await world.history.flush();
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createFileGit, createGit } from "../../adapters/git/index.ts";
import type { AgentId, AgentRef, ProjectId } from "../../contract/index.ts";
import { manualClock, systemClock } from "../../platform/clock/index.ts";
import { randomIds } from "../../platform/ids/index.ts";
import { openSqliteStore, type Store } from "../../platform/store/index.ts";
import { migratedFile, scratchFolder } from "../../platform/store/testkit.ts";
import { createToolCalls } from "../guard/index.ts";
import { createContentPacks } from "./content-packs.ts";
import { createFileHistory } from "./file-history.ts";
import type { FileHistoryRepositories, HistoryLimits } from "./ports.ts";
import { sqliteFileVersions } from "./store.sqlite.ts";

const defaults: HistoryLimits = { isOn: true, keepDays: 14, maxBytes: 512 * 1_048_576, maxFileBytes: 2 * 1_048_576 };

export function openHistory(limits: Partial<HistoryLimits> = {}) {
  const folder = scratchFolder();
  const tree = join(folder.path, "shop");
  mkdirSync(tree);
  const env = { PATH: process.env.PATH, HOME: folder.path };
  execFileSync("git", ["init", "-q"], { cwd: tree, env });
  const clock = manualClock({ wall: systemClock().now() });
  const ids = randomIds(clock);
  const store: Store<FileHistoryRepositories> = openSqliteStore({
    ...migratedFile(join(folder.path, "sylk.db")),
    repositories: { fileVersions: sqliteFileVersions },
  });
  const calls = createToolCalls(clock);
  const packFolder = join(folder.path, "file-history");
  const failures: unknown[] = [];
  const troubles: string[] = [];
  const git = createFileGit(createGit(systemClock(), env));
  const history = createFileHistory({
    store,
    clock,
    ids,
    calls,
    git,
    packs: createContentPacks(packFolder),
    limits: { ...defaults, ...limits },
    onKept: (found) => void troubles.push(...found),
    onFailed: (error) => void failures.push(error),
  });
  const project = ids.next("prj") satisfies ProjectId;
  const agents = new Map<string, AgentRef>();
  const agent = (name: string): AgentRef => {
    const known = agents.get(name) ?? { id: ids.next("agt") satisfies AgentId, name, client: "claude-code" as const };
    agents.set(name, known);
    return known;
  };
  return {
    tree,
    project,
    store,
    clock,
    calls,
    git,
    history,
    failures,
    troubles,
    agent,
    write(path: string, content: string | Buffer): void {
      mkdirSync(dirname(join(tree, path)), { recursive: true });
      writeFileSync(join(tree, path), content);
    },
    /** As many editors save. */
    writeByRename(path: string, content: string | Buffer): void {
      writeFileSync(join(tree, `${path}.swp`), content);
      renameSync(join(tree, `${path}.swp`), join(tree, path));
    },
    remove: (path: string): void => rmSync(join(tree, path), { force: true }),
    read(path: string): string | undefined {
      try {
        return readFileSync(join(tree, path), "latin1");
      } catch {
        return undefined;
      }
    },
    /** A tool call of an agent: hook before, the write, hook after. */
    tool(name: string, path: string, work: () => void): void {
      const by = agent(name);
      history.before({ project, tree, paths: [path] });
      calls.began({ agent: by, tree, paths: [path], patterns: [], unknown: false, command: "Edit" });
      work();
      history.after({ project, tree, paths: [path], agent: by.id });
      calls.ended(by.id, [], { tree, paths: [path] });
    },
    file: (path: string) => ({ tree, project, path }),
    chain: (path: string) => store.reader.fileVersions.chain(tree, path),
    packBytes: (): number =>
      readdirSync(packFolder).reduce((sum, name) => sum + statSync(join(packFolder, name)).size, 0),
    async [Symbol.asyncDispose]() {
      await history.close();
      store.close();
      folder[Symbol.dispose]();
    },
  };
}
