/** A text with its lines, for the questions that nodes of a tree leave open. */
export type SourceText = {
  readonly text: string;
  /** Where each line begins. */
  readonly starts: readonly number[];
  /** A line without its end, from 0; empty outside the text. */
  readonly line: (row: number) => string;
};

export function sourceText(text: string): SourceText {
  const starts = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  const line = (row: number): string => {
    const start = starts[row];
    return start === undefined ? "" : text.slice(start, (starts[row + 1] ?? text.length + 1) - 1);
  };
  return { text, starts, line };
}

/** One line of at most `length` characters; a longer text ends with an ellipsis. */
export function oneLine(text: string, length: number): string {
  const flat = text.replaceAll(/\s+/g, " ").trim();
  return flat.length <= length ? flat : `${flat.slice(0, length - 1).trimEnd()}…`;
}

/** The index of the last of the sorted numbers that is not greater; -1 where all are. */
export function lastAtMost(sorted: readonly number[], limit: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! <= limit) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
