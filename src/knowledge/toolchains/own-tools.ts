/**
 * Tools that the user adds to the table: `tools.json` of the home, read again whenever it has changed. A file of a
 * repository adds none: its commands would run unasked.
 */
import { readFileSync, statSync } from "node:fs";
import { messageOf, tool } from "../../contract/index.ts";
import type { LanguageDefinition, ToolDefinition } from "./tool-definition.ts";

export type OwnTools = {
  readonly tools: readonly ToolDefinition[];
  /** Another one for another content. */
  readonly stamp: string;
  /** Why the file was not taken. */
  readonly problem?: string;
};
type Given = tool.OwnTools["tools"][number];

const largestFile = 1_048_576;

export function ownToolsIn(file: string, languages: readonly LanguageDefinition[]): () => OwnTools {
  let known: OwnTools = { tools: [], stamp: "" };
  return () => {
    const stamp = stampOf(file);
    if (stamp !== known.stamp) known = { stamp, ...(stamp === "" ? { tools: [] } : read(file, languages)) };
    return known;
  };
}

function stampOf(file: string): string {
  const stats = statSync(file, { throwIfNoEntry: false });
  return stats === undefined ? "" : `${stats.ino} ${stats.mtimeMs} ${stats.size}`;
}

/** One mistake is enough to take none: a half-read table would hide it. */
function read(file: string, languages: readonly LanguageDefinition[]): Omit<OwnTools, "stamp"> {
  const refused = (why: string) => ({ tools: [], problem: `${file} adds no tools: ${why}` });
  try {
    if (!statSync(file).isFile() || statSync(file).size > largestFile) return refused("it is not a file of up to 1 MB");
    const parsed = tool.OwnTools.safeParse(JSON.parse(readFileSync(file, "utf8")));
    if (!parsed.success) {
      const [issue] = parsed.error.issues;
      return refused(`${issue!.path.join(".")}: ${issue!.message}`);
    }
    const known = new Set(languages.map(({ name }) => name));
    const stranger = parsed.data.tools.flatMap((one) => one.languages).find((name) => !known.has(name));
    if (stranger !== undefined)
      return refused(`"${stranger}" is not a known language; known are ${[...known].join(", ")}`);
    return { tools: parsed.data.tools.map(definitionOf) };
  } catch (error) {
    return refused(messageOf(error));
  }
}

function definitionOf({ commands, configFiles = [], dependencies = [], install, ...rest }: Given): ToolDefinition {
  const uses = Object.fromEntries(Object.entries(commands).map(([category, argv]) => [category, () => argv]));
  const [program] = Object.values(commands)[0]!;
  return {
    ...rest,
    ecosystem: "system",
    program,
    uses,
    configFiles,
    dependencies,
    ...(install === undefined ? {} : { install }),
  };
}
