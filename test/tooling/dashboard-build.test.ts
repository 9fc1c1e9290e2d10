/** How the dashboard is built: its model needs no browser, and no page leans on the styles of another. */
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

it("a page looks the same whichever page was open before: it uses its own classes and those of all pages", () => {
  const classesOf = (text: string) =>
    new Set([...text.matchAll(/\.([a-z][\w-]*)(?=[^{}]*\{)/g)].map(([, name]) => name!));
  const owners = new Map<string, Set<string>>();
  for (const sheet of globSync("*/*.css", { cwd: folder }))
    for (const name of classesOf(readFileSync(join(folder, sheet), "utf8")))
      owners.set(name, (owners.get(name) ?? new Set()).add(dirname(sheet)));
  expect(owners.size).toBeGreaterThan(100);
  const borrowed = globSync("**/*.tsx", { cwd: folder }).flatMap((file) =>
    [...readFileSync(join(folder, file), "utf8").matchAll(/className="([^"]+)"/g)]
      .flatMap(([, names]) => names!.split(" "))
      .filter((name) => owners.has(name))
      .filter((name) => !owners.get(name)!.has("styles") && !owners.get(name)!.has(dirname(file)))
      .map((name) => `${file} uses .${name} of ${[...owners.get(name)!].join(", ")}`),
  );
  expect(borrowed).toEqual([]);
});
