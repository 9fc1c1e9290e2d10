/**
 * Where in a JSON text its values stand, so that something can be put in or taken out without touching a byte of the rest.
 * The text must be JSON that JSON.parse takes.
 */
export type Span = { readonly start: number; readonly end: number };
export type SpanNode = Span &
  (
    | { readonly kind: "object"; readonly members: readonly Member[] }
    | { readonly kind: "array"; readonly items: readonly SpanNode[] }
    | { readonly kind: "plain" }
  );
/** From its name's first quote to its value's end. */
export type Member = Span & { readonly name: string; readonly value: SpanNode };

export function spansOf(text: string): SpanNode {
  let at = 0;
  const skip = (): void => {
    while (at < text.length && " \t\r\n".includes(text[at]!)) at++;
  };
  const string = (): string => {
    const start = at++;
    while (text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
    at++;
    return JSON.parse(text.slice(start, at)) as string;
  };
  const value = (): SpanNode => {
    skip();
    const start = at;
    if (text[at] === "{") return { kind: "object", ...list("}", start, member, "members") };
    if (text[at] === "[") return { kind: "array", ...list("]", start, value, "items") };
    if (text[at] === '"') string();
    else while (at < text.length && !" \t\r\n,]}".includes(text[at]!)) at++;
    return { kind: "plain", start, end: at };
  };
  const member = (): Member => {
    skip();
    const start = at;
    const name = string();
    skip();
    at++; // the colon
    const found = value();
    return { start, end: found.end, name, value: found };
  };
  function list<Item, Key extends string>(
    close: string,
    start: number,
    read: () => Item,
    key: Key,
  ): Span & Readonly<Record<Key, readonly Item[]>> {
    const items: Item[] = [];
    at++;
    for (skip(); text[at] !== close; skip()) {
      items.push(read());
      skip();
      if (text[at] === ",") at++;
    }
    at++;
    return { start, end: at, [key]: items } as Span & Readonly<Record<Key, readonly Item[]>>;
  }
  return value();
}

/** Adds a member or an item as the last of its container, in the style of those that are there. */
export function appended(text: string, container: SpanNode, addition: string): string {
  const inside = insideOf(container);
  const last = inside.at(-1);
  if (last === undefined) {
    const outer = indentAt(text, container.start);
    const body = indented(addition, `${outer}  `);
    return splice(text, { start: container.start + 1, end: container.end - 1 }, `\n${outer}  ${body}\n${outer}`);
  }
  const before = text.slice(container.start, inside[0]!.start);
  const onOneLine = !before.includes("\n");
  const indent = onOneLine ? "" : indentAt(text, last.start);
  return splice(
    text,
    { start: last.end, end: last.end },
    onOneLine ? `, ${addition}` : `,\n${indent}${indented(addition, indent)}`,
  );
}

/** Takes one member or item out, with its comma. */
export function without(text: string, container: SpanNode, index: number): string {
  const inside = insideOf(container);
  const [before, own, after] = [inside[index - 1], inside[index]!, inside[index + 1]];
  if (before !== undefined) return splice(text, { start: before.end, end: own.end }, "");
  if (after !== undefined) return splice(text, { start: own.start, end: after.start }, "");
  return splice(text, { start: container.start + 1, end: container.end - 1 }, "");
}

export function insideOf(container: SpanNode): readonly Span[] {
  if (container.kind === "object") return container.members;
  return container.kind === "array" ? container.items : [];
}

function splice(text: string, { start, end }: Span, middle: string): string {
  return text.slice(0, start) + middle + text.slice(end);
}

/** The white space that the line of a place begins with. */
function indentAt(text: string, place: number): string {
  const line = text.slice(text.lastIndexOf("\n", place - 1) + 1, place);
  return /^[ \t]*/.exec(line)![0];
}

function indented(text: string, indent: string): string {
  return text.replaceAll("\n", `\n${indent}`);
}
