/** Reads the requirement lists in docs/requirements: every table row that starts with an id. */
import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";

export type Requirement = { id: string; area: string; later: boolean };

const FOLDER = "docs/requirements";
const GENERATED = new Set(["README.md", "status.md"]);
const ROW = /^\| ([A-Z]+)-(\d+) \| (.*) \|$/gm;

/** In the order of the documents; areas stay together. */
export function readRequirements(root: string): Requirement[] {
  const folder = join(root, FOLDER);
  if (!existsSync(folder)) throw new Error(`${FOLDER} does not exist`);
  const files = globSync("*.md", { cwd: folder }).filter((name) => !GENERATED.has(name));
  const rows = files.toSorted().flatMap((name) => [...readFileSync(join(folder, name), "utf8").matchAll(ROW)]);
  return rows.map(([, area = "", number = "", text = ""]) => {
    return { id: `${area}-${number}`, area, later: text.startsWith("**later**") };
  });
}
