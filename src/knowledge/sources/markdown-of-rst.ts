/**
 * reStructuredText, as Python's documentation is written in it, as Markdown: headings, code and words that its reader sees.
 * Every line keeps its number. Pure.
 *
 *   title with its ruler -> # title     literal blocks and code directives -> fenced     comments, targets, options -> empty
 *   :class:`~a.B` -> B                  `words <address>`_ -> words                      a definition -> an item below its term
 */
const ruler = /^([=\-~^"'`#*+.:_<>])\1{2,}\s*$/;
const directive = /^\s*\.\. +([\w:.-]+?):: ?(.*)$/;
const codeDirective =
  /^(?:code-block|code|sourcecode|parsed-literal|literalinclude|math|raw|testcode|doctest|highlight)$/;
const target = /^\s*\.\. +(?:_[^\n]*:|\|[^|\n]*\| )/;
const footnote = /^\s*\.\. +\[[^\]\n]+\] +/;
const option = /^\s+:[\w-]+:(?:\s|$)/;
const listItem = /^\s*(?:[-*+•]|\(?(?:\d{1,3}|#|[a-zA-Z])[.)])\s/;
const role = /:[a-z][\w:+.-]{0,60}:`([^`<>\n]{1,300}?)(?:\s*<[^`<>\n]{1,500}>)?`/gi;
const link = /`([^`<>\n]{1,300}?)(?:\s*<[^`<>\n]{1,500}>)?`__?(?!\w)/g;

type Block = { readonly kind: "code" | "unseen"; readonly indent: number };

export function markdownOfRst(text: string): string {
  const lines = text.split("\n");
  const levels: string[] = [];
  const seen: string[] = [];
  let block: Block | undefined;

  function take(place: number): number {
    const line = lines[place]!;
    const [next = "", afterNext = ""] = lines.slice(place + 1, place + 3);
    const indent = indentOf(line);
    const isOverlined = ruler.test(line) && line.trimEnd() === afterNext.trimEnd() && !isBlank(next);
    if (isOverlined) return seen.push("", heading(`${line[0]}${line[0]}`, next), "");
    if (isTitle(line, next)) return seen.push(heading(next[0]!, line), "");
    const [, name, argument = ""] = directive.exec(line) ?? [];
    if (name !== undefined) {
      const isCode = codeDirective.test(name);
      seen.push(isCode ? "```" : visible(argument));
      if (isCode) block = { kind: "code", indent };
      else for (let at = place + 1; option.test(lines[at] ?? ""); at++) seen.push("");
    } else if (target.test(line)) seen.push("");
    else if (/^\s*\.\.(?:\s|$)/.test(line) && !footnote.test(line)) {
      seen.push("");
      block = { kind: "unseen", indent };
    } else if (/::\s*$/.test(line) && place + 1 < lines.length && isBlank(next)) {
      seen.push(visible(line.replace(/:\s*$/, "")), "```");
      block = { kind: "code", indent };
    } else {
      seen.push(visible(line.replace(footnote, "")));
      const isTerm = !isBlank(line) && !listItem.test(line) && isBlank(lines[place - 1] ?? "");
      if (isTerm && !isBlank(next) && indentOf(next) > indent) seen.push(item(next));
    }
    return seen.length;
  }

  function heading(key: string, title: string): string {
    if (!levels.includes(key)) levels.push(key);
    return `${"#".repeat(Math.min(6, levels.indexOf(key) + 1))} ${visible(title.trim())}`;
  }

  while (seen.length < lines.length) {
    const line = lines[seen.length]!;
    if (block !== undefined && (isBlank(line) || indentOf(line) > block.indent))
      seen.push(block.kind === "code" ? line : "");
    else {
      if (block?.kind === "code") closeCode(seen);
      block = undefined;
      take(seen.length);
    }
  }
  return seen.join("\n");
}

/** In the blank line behind the code; without one the code was empty or the text is not well formed, and nothing stays open. */
function closeCode(seen: string[]): void {
  const last = seen.length - 1;
  if (isBlank(seen[last]!)) seen[last] = "```";
  else seen[seen.lastIndexOf("```")] = "";
}

function isTitle(line: string, next: string): boolean {
  return (
    !isBlank(line) &&
    indentOf(line) === 0 &&
    !ruler.test(line) &&
    ruler.test(next) &&
    next.trimEnd().length >= line.trimEnd().length
  );
}

function item(line: string): string {
  const text = visible(line.trim());
  return listItem.test(line) || text.startsWith("..")
    ? visible(line)
    : `${" ".repeat(Math.max(0, indentOf(line) - 2))}- ${text}`;
}

function visible(line: string): string {
  return line
    .replaceAll(role, (_, words: string) => (words.startsWith("~") ? words.slice(words.lastIndexOf(".") + 1) : words))
    .replaceAll(link, "$1");
}

function isBlank(line: string): boolean {
  return line.trim() === "";
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}
