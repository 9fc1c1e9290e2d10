/** Projects in eight languages through a real daemon: symbols, imports and usages are those that a reader finds. */
import { afterAll, beforeAll, expect, it } from "vitest";
import type { OutputOf } from "../../src/contract/index.ts";
import { fixtureProjects } from "./fixture-projects.ts";
import { openScratchDaemon, type ScratchDaemon } from "./scratch-daemon.ts";
import { writeTree } from "./scratch-home.ts";
import { jsonOf } from "./run-sylk.ts";

let daemon: ScratchDaemon;
beforeAll(async () => {
  daemon = await openScratchDaemon();
});
afterAll(() => daemon[Symbol.asyncDispose]());

it.each(Object.entries(fixtureProjects))(
  "a project in %s is indexed as a reader reads it: symbols, imports, usages [LIB-1, LIB-3, LIB-11, LIB-23]",
  async (language, { files, symbols, dependents, usages }) => {
    const project = daemon.addRepository(language.toLowerCase());
    writeTree(project, files);
    const ask = async <Name extends "symbols" | "dependents" | "usages">(name: Name, ...args: string[]) =>
      jsonOf<OutputOf<`code.${Name}`>>(
        await daemon.sylk([name, ...args, "--limit", "500", "--json"], { cwd: project }),
      );
    const own = new Set(Object.keys(files));
    const { items, about } = await ask("symbols");
    expect(about.notIndexed.count).toBe(0);
    const listed = items.filter(({ path }) => own.has(path));
    expect(listed.map(({ path, line, kind, name }) => `${path}:${line} ${kind} ${name}`).sort()).toEqual(
      [...symbols].sort(),
    );
    for (const [module, places] of Object.entries(dependents)) {
      const found = await ask("dependents", module);
      expect(
        found.items.map(({ path, line }) => `${path}:${line}`),
        module,
      ).toEqual(places);
    }
    for (const [symbol, places] of Object.entries(usages)) {
      const found = await ask("usages", symbol);
      expect(found.items.map(({ path, line, kind }) => `${path}:${line} ${kind}`).sort(), symbol).toEqual(
        [...places].sort(),
      );
    }
  },
);
