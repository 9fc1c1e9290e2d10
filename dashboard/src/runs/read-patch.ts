/** A patch of git as files with numbered lines. */
export type PatchLine = {
  readonly kind: "same" | "added" | "removed" | "gap" | "note";
  readonly text: string;
  /** Line numbers before and after. */
  readonly before?: number | undefined;
  readonly after?: number | undefined;
};
export type PatchFile = { readonly path: string; readonly lines: readonly PatchLine[] };

export function readPatch(patch: string): readonly PatchFile[] {
  const files: { path: string; lines: PatchLine[] }[] = [];
  let [before, after] = [0, 0];
  let [leftBefore, leftAfter] = [0, 0];
  const texts = patch.split("\n");
  if (texts.at(-1) === "") texts.pop();
  for (const text of texts) {
    const file = files.at(-1);
    if (leftBefore > 0 || leftAfter > 0 || (file !== undefined && text.startsWith("\\"))) {
      const sign = text.charAt(0);
      const rest = text.slice(1);
      if (sign === "+") {
        file!.lines.push({ kind: "added", text: rest, after: after++ });
        leftAfter--;
      } else if (sign === "-") {
        file!.lines.push({ kind: "removed", text: rest, before: before++ });
        leftBefore--;
      } else if (sign === "\\") file!.lines.push({ kind: "note", text: rest.trim() });
      else {
        file!.lines.push({ kind: "same", text: rest, before: before++, after: after++ });
        leftBefore--;
        leftAfter--;
      }
      continue;
    }
    const hunk = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@ ?(.*)$/.exec(text);
    if (text.startsWith("diff --git ")) files.push({ path: pathIn(text), lines: [] });
    else if (hunk !== null && file !== undefined) {
      [before, after] = [Number(hunk[1]), Number(hunk[3])];
      [leftBefore, leftAfter] = [Number(hunk[2] ?? 1), Number(hunk[4] ?? 1)];
      file.lines.push({ kind: "gap", text: hunk[5] ?? "", before, after });
    } else if (file !== undefined && /^(\+\+\+|---) /.test(text)) {
      const named = nameOf(text.slice(4));
      if (named !== undefined) file.path = named;
    } else if (file !== undefined && /^(Binary files|rename|old mode|new mode)/.test(text))
      file.lines.push({ kind: "note", text });
  }
  return files;
}

/** `b/src/a.ts`, or in quotes where the name has odd characters; undefined for /dev/null. */
function nameOf(given: string): string | undefined {
  const text = given.replace(/\t.*$/, "");
  if (text === "/dev/null") return undefined;
  return unquoted(text).replace(/^[ab]\//, "");
}

function pathIn(line: string): string {
  const rest = line.slice("diff --git ".length);
  const quoted = /^(?:"(?:\\.|[^"\\])*"|\S+) ("(?:\\.|[^"\\])*")$/.exec(rest);
  if (quoted !== null) return nameOf(quoted[1]!) ?? rest;
  const half = rest.slice((rest.length + 1) / 2); // both names are the same unless the file was renamed
  return nameOf(half) ?? rest;
}

function unquoted(text: string): string {
  if (!text.startsWith('"')) return text;
  const bytes: number[] = [];
  const encoder = new TextEncoder();
  for (const [, octal, escaped, plain] of text.slice(1, -1).matchAll(/\\([0-7]{3})|\\(.)|([^\\]+)/g)) {
    if (octal !== undefined) bytes.push(Number.parseInt(octal, 8));
    else bytes.push(...encoder.encode(plain ?? { n: "\n", t: "\t" }[escaped!] ?? escaped!));
  }
  return new TextDecoder().decode(new Uint8Array(bytes));
}
