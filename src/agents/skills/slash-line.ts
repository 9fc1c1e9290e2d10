/**
 * A slash command as a person types it.
 *
 *   /plan "add a discount" src/cart.ts --depth 3 --dry-run  ->  name plan, args, options { depth: "3", "dry-run": true }
 *
 * Words are split at spaces outside double quotes (\" and \\ inside). `--flag=value` and `--flag value` are the same, a flag
 * before another flag or at the end is true, and after `--` everything is an argument.
 */
import { type DomainError, invalidInput } from "../../contract/index.ts";

export type SlashLine = {
  readonly name: string;
  readonly args: readonly string[];
  readonly options: Readonly<Record<string, unknown>>;
};

export function parseSlashLine(line: string): SlashLine {
  const [first, ...words] = wordsIn(line);
  const name = first?.quoted === false ? /^\/([a-z][a-z0-9-]*)$/i.exec(first.text)?.[1] : undefined;
  if (name === undefined)
    throw refusal(`${JSON.stringify(first?.text ?? "")} is not a slash command; write / and a name, for example /plan`);
  const args: string[] = [];
  const options = new Map<string, unknown>();
  for (let at = 0; at < words.length; at++) {
    const { text, quoted } = words[at]!;
    if (text === "--" && !quoted) {
      args.push(...words.slice(at + 1).map((word) => word.text));
      break;
    }
    const [, flag, value] = quoted ? [] : (/^--([a-z][\w-]*)(?:=(.*))?$/is.exec(text) ?? []);
    if (flag === undefined) {
      args.push(text);
      continue;
    }
    const next = words[at + 1];
    const takesNext = value === undefined && next !== undefined && (next.quoted || !next.text.startsWith("--"));
    options.set(flag, value ?? (takesNext ? next.text : true));
    if (takesNext) at++;
  }
  return { name: name.toLowerCase(), args, options: Object.fromEntries(options) };
}

type Word = { readonly text: string; readonly quoted: boolean };

function wordsIn(line: string): readonly Word[] {
  const words: Word[] = [];
  let at = 0;
  for (;;) {
    while (/\s/.test(line[at] ?? "")) at++;
    if (at >= line.length) return words;
    const start = at;
    let text = "";
    let quoted = false;
    while (at < line.length && !/\s/.test(line[at]!)) {
      if (line[at] === '"') {
        quoted ||= text === "";
        const closed = /"((?:[^"\\]|\\.)*)"/sy;
        closed.lastIndex = at;
        const inside = closed.exec(line)?.[1];
        if (inside === undefined) throw refusal(`the quote at ${at + 1} is not closed`, at);
        text += inside.replaceAll(/\\(["\\])/g, "$1");
        at = closed.lastIndex;
      } else text += line[at++]!;
    }
    words.push({ text, quoted: quoted && line[start] === '"' });
  }
}

function refusal(message: string, position = 0): DomainError {
  return invalidInput("command", message, { sentence: message, details: { position } });
}
