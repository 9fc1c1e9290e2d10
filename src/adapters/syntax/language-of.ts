/** The language of a file by its name, then by its ending, then by the program its first line names. */
import { basename } from "node:path";
import { languages } from "./languages.ts";

const byName = new Map<string, string>();
const byEnding = new Map<string, string>();
const byProgram = new Map<string, string>();
for (const { name, endings, fileNames = [], shebangs = [] } of languages.values()) {
  for (const ending of endings) byEnding.set(ending, name);
  for (const fileName of fileNames) byName.set(fileName.toLowerCase(), name);
  for (const program of shebangs) byProgram.set(program, name);
}
byName.set("go.mod", "go-mod");
for (const ending of ["md", "markdown", "mdx"]) byEnding.set(ending, "markdown");

export function languageOf(path: string, firstLine = ""): string {
  const name = basename(path).toLowerCase();
  const known = byName.get(name) ?? byEnding.get(name.slice(name.lastIndexOf(".") + 1));
  if (known !== undefined && (name.includes(".") || byName.has(name))) return known;
  return languageOfProgram(firstLine) ?? "text";
}

/** `#!/usr/bin/env -S python3.12 -u` is python3. */
function languageOfProgram(firstLine: string): string | undefined {
  const words = /^#!\s*(.{1,200})/.exec(firstLine)?.[1]?.split(/\s+/) ?? [];
  const program = words.map((word) => basename(word)).find((word) => word !== "env" && !word.startsWith("-"));
  return program === undefined ? undefined : (byProgram.get(program) ?? byProgram.get(program.replace(/[\d.]+$/, "")));
}
