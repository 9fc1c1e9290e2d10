/** Files that a sed script writes (`w file`, `W file`, `s/a/b/w file`) and commands that it runs (`e command`, `s/a/b/e`). */
type Cursor = { readonly text: string; at: number };

export type SedScript = {
  readonly files: readonly string[];
  readonly commands: readonly string[];
  /** It runs what it reads. */
  readonly isRunning: boolean;
};

export function readSedScript(text: string): SedScript {
  const cursor: Cursor = { text, at: 0 };
  const files: string[] = [];
  const commands: string[] = [];
  let isRunning = false;
  while (cursor.at < text.length) {
    skip(cursor, /[\s;{}]*/y);
    skipAddress(cursor);
    const command = text[cursor.at++] ?? "";
    if (command === "w" || command === "W") files.push(restOfLine(cursor));
    else if (command === "e") {
      const line = restOfLine(cursor);
      if (line === "") isRunning = true;
      else commands.push(line);
    } else if (command === "s" || command === "y") {
      const { file, runs } = substitution(cursor);
      if (file !== undefined) files.push(file);
      isRunning ||= runs;
    } else if ("aicrR:#".includes(command)) restOfLine(cursor);
    else if (command !== "{" && command !== "}") skip(cursor, /[^;\n}]*/y);
  }
  return { files: files.filter((file) => file !== ""), commands, isRunning };
}

/** `1,$`, `/from/,+3`, `\,path,I!` */
function skipAddress(cursor: Cursor): void {
  for (;;) {
    skip(cursor, /[\d$,~+!\s]*/y);
    const { text, at } = cursor;
    const delimiter = text[at] === "/" ? "/" : text[at] === "\\" ? text[at + 1] : undefined;
    if (delimiter === undefined) return;
    cursor.at += text[at] === "/" ? 1 : 2;
    skipExpression(delimiter, cursor);
    skip(cursor, /[IM]*/y);
  }
}

function substitution(cursor: Cursor): { readonly file?: string; readonly runs: boolean } {
  const delimiter = cursor.text[cursor.at++];
  if (delimiter === undefined) return { runs: false };
  skipExpression(delimiter, cursor);
  skipTo(delimiter, cursor);
  const from = cursor.at;
  skip(cursor, /[gpeiImM\d]*/y);
  const runs = cursor.text.slice(from, cursor.at).includes("e");
  if (cursor.text[cursor.at] !== "w") return { runs };
  cursor.at++;
  return { file: restOfLine(cursor), runs };
}

/** In brackets the delimiter is a character like others: `s/[/]/-/`. */
function skipExpression(delimiter: string, cursor: Cursor): void {
  const { text } = cursor;
  while (cursor.at < text.length && text[cursor.at] !== delimiter) {
    const before = cursor.at;
    skip(cursor, /\[\^?\]?[^\]\n]*\]/y);
    if (cursor.at === before) cursor.at += text[cursor.at] === "\\" ? 2 : 1;
  }
  cursor.at++;
}

/** Behind the next delimiter that is not escaped. */
function skipTo(delimiter: string, cursor: Cursor): void {
  const { text } = cursor;
  while (cursor.at < text.length && text[cursor.at] !== delimiter) cursor.at += text[cursor.at] === "\\" ? 2 : 1;
  cursor.at++;
}

function restOfLine(cursor: Cursor): string {
  const end = cursor.text.indexOf("\n", cursor.at);
  const line = cursor.text.slice(cursor.at, end === -1 ? undefined : end);
  cursor.at += line.length + 1;
  return line.trim();
}

function skip(cursor: Cursor, what: RegExp): void {
  what.lastIndex = cursor.at;
  cursor.at += what.exec(cursor.text)?.[0].length ?? 0;
}
