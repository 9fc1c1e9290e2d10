/**
 * Writes everything that is made from the contract: `npm run generate` (`--check` only compares).
 *
 *   registry, error table, settings, command table -> docs/reference/*.md, the golden surface, the commands' summaries
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { generatedFiles } from "./generate/generated-files.ts";

const root = join(import.meta.dirname, "..");
const { values: flags } = parseArgs({ options: { check: { type: "boolean" } } });

const stale: string[] = [];
for (const [path, content] of await generatedFiles()) {
  const file = join(root, path);
  if (currentContent(file) === content) continue;
  stale.push(path);
  if (flags.check) continue;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
}
if (stale.length === 0) console.log("generated files are up to date");
else console.log(`${flags.check ? "stale, run npm run generate" : "written"}: ${stale.join(", ")}`);
process.exitCode = flags.check && stale.length > 0 ? 1 : 0;

function currentContent(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined; // not written yet
  }
}
