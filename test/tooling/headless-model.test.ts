/** What the dashboard shows is computed by modules that need no browser, so their tests load no React. */
import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";

const folder = join(import.meta.dirname, "../../dashboard/src");
const imported = /^(?:import|export)\s(?!type\b)[^;]*?"([^"]+)";/gmu;

/** Every module that a file loads, packages by name, whether it names them itself or what it loads does. */
function loadedBy(file: string, seen = new Set<string>()): ReadonlySet<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  for (const [, name] of readFileSync(file, "utf8").matchAll(imported))
    if (name!.startsWith(".")) loadedBy(join(dirname(file), name!), seen);
    else seen.add(name!);
  return seen;
}

it("the model of every page is tested without React [DASH-17]", () => {
  const tests = globSync("**/*.test.ts", { cwd: folder });
  const foldersWithTests = new Set(tests.map((path) => dirname(path)));
  for (const page of ["now", "inbox", "runs", "work", "files", "findings", "messages", "knowledge", "costs", "events"])
    expect(foldersWithTests, page).toContain(page);
  for (const test of tests) {
    const loaded = [...loadedBy(join(folder, test))];
    expect(loaded.length, test).toBeGreaterThan(2);
    expect(
      loaded.filter((name) => /^react(-dom)?($|\/)|\.tsx$/.test(name)),
      test,
    ).toEqual([]);
  }
});
