/** Where each operation is handled: one `handlers.ts` each, found by its text. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { allOperations } from "../../contract/index.ts";

const sources = join(import.meta.dirname, "..", "..");

/** Nouns whose handlers still have to move out of src/app; this list only shrinks. */
const moving = /^(approval|dag|history|provider|run)\./;

function handled(): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const file of globSync("*/**/handlers.ts", { cwd: sources })) {
    const text = readFileSync(join(sources, file), "utf8");
    for (const [, name] of text.matchAll(/[\s{](?:async )?"([a-z-]+\.[a-z-]+)"(?:\(|: (?:async )?\()/g))
      found.set(name!, [...(found.get(name!) ?? []), file]);
  }
  return found;
}

it("handles each operation in the handlers.ts of exactly one feature, none of them in src/app [CORE-35]", () => {
  const files = handled();
  const names = allOperations().map(({ name }) => name);
  const missing = names.filter((name) => !files.has(name) && !moving.test(name));
  expect(missing).toEqual([]);
  for (const [name, places] of files) {
    expect(names, `${name} in ${places.join(", ")}`).toContain(name);
    expect(places, name).toEqual([expect.stringMatching(/^(?!app\/)/)]);
  }
});
