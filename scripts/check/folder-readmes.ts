/** Each top folder of src, and the dashboard, explains itself in a README of at most 40 lines. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Check } from "./check.ts";

const MAX_LINES = 40;

export const folderReadmes: Check = {
  name: "readmes",
  run: (root) => {
    const folders = readdirSync(join(root, "src"), { withFileTypes: true }).filter((entry) => entry.isDirectory());
    const readmes = folders.map((folder) => `src/${folder.name}/README.md`);
    const dashboard = existsSync(join(root, "dashboard")) ? ["dashboard/README.md"] : [];
    return Promise.resolve([...readmes, ...dashboard].flatMap((path) => problemWith(root, path)));
  },
};

function problemWith(root: string, path: string): string[] {
  if (!existsSync(join(root, path))) return [`${path} is missing: what the folder is for, its flow, what it refuses`];
  const lines = readFileSync(join(root, path), "utf8").trimEnd().split("\n").length;
  return lines <= MAX_LINES ? [] : [`${path} has ${lines} lines; at most ${MAX_LINES}`];
}
