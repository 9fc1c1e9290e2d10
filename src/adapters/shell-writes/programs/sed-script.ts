/** Files that a sed script writes: `w file`, `W file`, and the flag of `s/a/b/w file`. */
type Cursor = { readonly text: string; at: number };

export function sedOutputs(text: string): readonly string[] {
  const cursor: Cursor = { text, at: 0 };
  const files: string[] = [];
  while (cursor.at < text.length) {
    skip(cursor, /[\s;{}]*/y);
    skipAddress(cursor);
    const command = text[cursor.at++] ?? "";
    if (command === "w" || command === "W") files.push(restOfLine(cursor));
    else if (command === "s" || command === "y") files.push(...substitution(cursor));
    else if ("aicrR:#".includes(command)) restOfLine(cursor);
    else if (command !== "{" && command !== "}") skip(cursor, /[^;\n}]*/y);
  }
  return files.filter((file) => file !== "");
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

function substitution(cursor: Cursor): readonly string[] {
  const delimiter = cursor.text[cursor.at++];
  if (delimiter === undefined) return [];
  skipExpression(delimiter, cursor);
  skipTo(delimiter, cursor);
  skip(cursor, /[gpeiImM\d]*/y);
  if (cursor.text[cursor.at] !== "w") return [];
  cursor.at++;
  return [restOfLine(cursor)];
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
