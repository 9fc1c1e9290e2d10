/** Lines of ours at the end of a text file, between two marks. What others add behind them stays. */
const begin = '# >>> sylk ("sylk uninstall" removes this)';
const end = "# <<< sylk";

export function withBlock(text: string, block: string): string {
  const gap = text === "" ? "" : text.endsWith("\n") ? "\n" : "\n\n";
  return `${text}${gap}${begin}\n${block}${end}\n`;
}

export function hasBlock(text: string): boolean {
  return placeOf(text) !== undefined;
}

export function withoutBlock(text: string): string {
  const place = placeOf(text);
  if (place === undefined) return text;
  const before = text.slice(0, place.start).replace(/\n\n$/, "\n");
  return before + text.slice(place.end);
}

function placeOf(text: string): { readonly start: number; readonly end: number } | undefined {
  const start = text.indexOf(begin);
  const close = start === -1 ? -1 : text.indexOf(end, start);
  if (close === -1) return undefined;
  const line = /^\r?\n/.exec(text.slice(close + end.length));
  return { start, end: close + end.length + (line?.[0].length ?? 0) };
}
