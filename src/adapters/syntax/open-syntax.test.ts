import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { sharedSyntax, tableOf } from "./testkit.ts";

/** Each `sample.<ending>.txt` has its expected facts in `sample.<ending>.golden.txt`. */
const folder = join(import.meta.dirname, "../../../test/languages");
const samples = readdirSync(folder).filter((name) => name.endsWith(".txt") && !name.endsWith(".golden.txt"));

it.each(samples)("the facts of %s are those that its table lists", async (sample) => {
  const syntax = await sharedSyntax();
  const file = sample.replace(/\.txt$/, "");
  const facts = syntax.extract(file, readFileSync(join(folder, sample), "utf8"));
  const golden = join(folder, `${file}.golden.txt`);
  if (process.env["SYLK_RECORD"] === "1") writeFileSync(golden, tableOf(facts));
  expect(tableOf(facts)).toBe(existsSync(golden) ? readFileSync(golden, "utf8") : "");
});
