/**
 * Finds the name that was probably meant, for "did you mean …?".
 * A name is near when at most a third of its letters must change; a far guess would only mislead.
 */

const LONGEST_COMPARED = 64;

export function nearestName(wanted: string, names: readonly string[]): string | undefined {
  if (wanted.length > LONGEST_COMPARED) return undefined;
  const sought = wanted.toLowerCase();
  let nearest: string | undefined;
  let best = Math.max(1, Math.floor(wanted.length / 3)) + 1;
  for (const name of names) {
    if (Math.abs(name.length - wanted.length) >= best) continue; // so many letters are missing already
    const distance = editDistance(sought, name.toLowerCase());
    if (distance < best) [nearest, best] = [name, distance];
  }
  return nearest;
}

/** "; did you mean …?" or nothing, to end a sentence with. */
export function suggestion(wanted: string, names: readonly string[]): string {
  const near = nearestName(wanted, names);
  return near === undefined ? "" : `; did you mean ${near}?`;
}

/** Letters to insert, remove or replace, one row at a time; two neighbours that changed places count as one. */
function editDistance(from: string, to: string): number {
  let before: readonly number[] = [];
  let row = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let line = 1; line <= from.length; line++) {
    const next = [line];
    for (let column = 1; column <= to.length; column++) {
      const replaced = at(row, column - 1) + (from[line - 1] === to[column - 1] ? 0 : 1);
      const isSwapped = from[line - 1] === to[column - 2] && from[line - 2] === to[column - 1];
      const swapped = isSwapped ? at(before, column - 2) + 1 : Number.POSITIVE_INFINITY;
      next.push(Math.min(replaced, swapped, at(row, column) + 1, at(next, column - 1) + 1));
    }
    [before, row] = [row, next];
  }
  return at(row, to.length);
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY;
}
