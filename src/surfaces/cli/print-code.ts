/** How answers about code are shown: places that terminals and editors open, and what an answer rests on. */
import type { CodeAbout } from "../../contract/index.ts";
import type { Output } from "./output.ts";
import { counted } from "./wording.ts";

/** Terminals and editors open `path:line:column`. */
export function placeOf(
  { path, line, column }: { readonly path: string; readonly line: number; readonly column?: number },
  out: Output,
): string {
  return out.paint("cyan", `${path}:${line}${column === undefined ? "" : `:${column}`}`);
}

export function printAbout(
  { tree, revision, notIndexed, failed, notes, provider, confidence }: CodeAbout,
  more: boolean,
  out: Output,
): void {
  if (more) out.note("more match; raise --limit to see them");
  out.note(`${tree} at ${revision}; by ${provider}, ${confidence}`);
  const { count, waiting, examples } = notIndexed;
  if (count > 0) {
    const [example] = examples;
    const such = example === undefined ? "" : `, for example ${example.path}: ${example.reason}`;
    out.note(`not covered: ${counted(count, "file")}${waiting > 0 ? ` (${waiting} still to be read)` : ""}${such}`);
  }
  for (const { provider: name, reason } of failed) out.note(`${name} failed: ${reason}`);
  for (const note of notes) out.note(note);
}
