/**
 * One instructions file for all clients: AGENTS.md, which each client's own file points to.
 *
 *   own file alone  -> its text moves to AGENTS.md, and it becomes the pointer
 *   both            -> the own file keeps its text, with the pointer before it
 *   a link          -> left as it is: CLAUDE.md -> AGENTS.md is one file already
 *
 * Taking it out restores the bytes of before where nothing was edited since; edited files stay, and a note says so.
 */
import { lstatSync, realpathSync } from "node:fs";
import { join } from "node:path";
import type { InstructionsFile } from "../../contract/index.ts";
import type { Act } from "./act.ts";
import { addActs, type OwnPart, takeActs } from "./file-acts.ts";
import type { KeptFile } from "./install-record.ts";
import { digest, readText } from "./kept-file.ts";

const shared = "AGENTS.md";
const pointsThere = /^@(\.\/)?AGENTS\.md[ \t]*$/m;
const skeleton = "# Instructions for agents\n";

export type Instructions = { readonly acts: Act[]; readonly notes: readonly string[] };
type Kept = (file: KeptFile) => void;

export function instructionActs(
  tree: string,
  { file: name, pointer }: InstructionsFile,
  earlier: readonly KeptFile[],
  kept: Kept,
): Instructions {
  const [own, all] = [join(tree, name), join(tree, shared)];
  const link = [own, all].find(isLink);
  if (link !== undefined) return { acts: [], notes: linkNote(link, link === own ? all : own) };
  const text = readText(own);
  for (const file of earlier) kept(file);
  if (text !== undefined && pointsThere.test(text)) return { acts: [], notes: [] };
  const isMoved = readText(all) === undefined;
  const acts = [
    ...(isMoved ? addActs(all, sharedPart(text ?? ""), undefined, kept) : []),
    ...addActs(own, ownPart(pointer, isMoved, text), undefined, kept),
  ];
  return { acts, notes: [] };
}

/** Whether there is a text that clients could share. */
export function hasInstructions(tree: string, { file }: InstructionsFile): boolean {
  return [file, shared].some((name) => readText(join(tree, name)) !== undefined);
}

export function takeInstructionActs(kept: readonly KeptFile[], isSharedInUse: boolean): Instructions {
  const own = kept.find(({ file }) => !file.endsWith(`/${shared}`));
  if (own === undefined) return { acts: [], notes: [] };
  const all = kept.find(({ file }) => file.endsWith(`/${shared}`));
  if (!isUntouched(own)) {
    const files = kept.map(({ file }) => file).join(" and ");
    return { acts: [], notes: [`${own.file} was edited since, so the instructions stay as they are: ${files}`] };
  }
  const back = takeActs(own.file, unchanged, own);
  if (all === undefined) return { acts: back, notes: [] };
  if (isSharedInUse) return { acts: back, notes: [`${all.file} stays: another client's file points to it`] };
  if (!isUntouched(all)) return { acts: back, notes: [`${all.file} was edited since, so it stays`] };
  return { acts: [...back, ...takeActs(all.file, unchanged, all)], notes: [] };
}

/** Restored by the record alone. */
const unchanged: OwnPart = { what: "", added: (text) => text, taken: (text) => text, isIn: () => false };

function sharedPart(text: string): OwnPart {
  return {
    ...unchanged,
    what: text === "" ? "instructions for all clients" : "the instructions for all clients move here",
    added: () => text || skeleton,
  };
}

function ownPart(pointer: string, isMoved: boolean, text: string | undefined): OwnPart {
  const what = text === undefined || isMoved ? `points to ${shared}` : `points to ${shared}; its own text stays`;
  return { ...unchanged, what, added: (base) => (isMoved || base === "" ? `${pointer}\n` : `${pointer}\n\n${base}`) };
}

function isUntouched({ file, after }: KeptFile): boolean {
  const found = readText(file);
  return found !== undefined && digest(found) === after;
}

function isLink(file: string): boolean {
  return lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}

function linkNote(link: string, other: string): readonly string[] {
  try {
    if (realpathSync(link) === realpathSync(other)) return []; // one file already
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
  return [`${link} is a link, so the instructions stay as they are`];
}
