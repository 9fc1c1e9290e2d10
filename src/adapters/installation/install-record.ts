/** The record of each installation, kept in the home: uninstalling restores the bytes that were there. */
import { join } from "node:path";
import * as z from "zod";
import type { HomePaths } from "../../platform/home/index.ts";
import { readText, removeFile, writeText } from "./kept-file.ts";

const KeptFile = z.object({
  file: z.string(),
  /** Null: it was not there. */
  before: z.string().nullable(),
  after: z.string().describe("SHA-256 of what we wrote"),
  folders: z.array(z.string()).describe("Folders that had to be made for it"),
});
export type KeptFile = z.infer<typeof KeptFile>;

const Installed = z.object({
  client: z.string(),
  settings: KeptFile,
  more: z.array(KeptFile).default([]).describe("Other files of the client"),
  scope: z.enum(["local", "project", "user"]).optional(),
  tree: z.string().optional().describe("From where it was installed"),
  followLinks: z.boolean().optional().describe("Whether the user agreed to write through links"),
  launch: z.string().optional().describe("What its hooks start: clients trust the very text"),
  instructions: z.array(KeptFile).optional().describe("The client's own instructions file, and AGENTS.md"),
  exclude: KeptFile.optional().describe("What git ignores"),
  preCommit: z.object({ file: z.string(), folders: z.array(z.string()) }).optional(),
});
export type Installed = z.infer<typeof Installed>;

const Records = z.object({ version: z.literal(1), items: z.array(Installed) });

export function readRecords(paths: HomePaths): readonly Installed[] {
  const text = readText(fileOf(paths));
  if (text === undefined) return [];
  try {
    return Records.parse(JSON.parse(text)).items;
  } catch {
    return []; // torn or of another version: then our entries are known by the launcher's name alone
  }
}

export function writeRecords(paths: HomePaths, items: readonly Installed[]): void {
  if (items.length === 0) removeFile(fileOf(paths), []);
  else writeText(fileOf(paths), `${JSON.stringify({ version: 1, items }, undefined, 2)}\n`, 0o600);
}

function fileOf({ home }: HomePaths): string {
  return join(home, "hooks", "installed.json");
}
