/** The lines of two texts as same, removed and added: the longest common subsequence; above `most` lines all is replaced. */
export type DiffLine = { readonly kind: "same" | "removed" | "added"; readonly text: string };

const most = 400;

export function diffLines(before: string, after: string): readonly DiffLine[] {
  const [old, fresh] = [before.split("\n"), after.split("\n")];
  if (old.length > most || fresh.length > most) return [...old.map(removed), ...fresh.map(added)];
  const lengths = commonLengths(old, fresh);
  const lines: DiffLine[] = [];
  let [i, j] = [0, 0];
  while (i < old.length && j < fresh.length) {
    if (old[i] === fresh[j]) {
      lines.push({ kind: "same", text: old[i]! });
      i++;
      j++;
    } else if (lengths[i + 1]![j]! >= lengths[i]![j + 1]!) lines.push(removed(old[i++]!));
    else lines.push(added(fresh[j++]!));
  }
  return [...lines, ...old.slice(i).map(removed), ...fresh.slice(j).map(added)];
}

const removed = (text: string): DiffLine => ({ kind: "removed", text });
const added = (text: string): DiffLine => ({ kind: "added", text });

/** `lengths[i][j]`: how many lines the rests from i and j have in common. */
function commonLengths(old: readonly string[], fresh: readonly string[]): readonly (readonly number[])[] {
  const lengths = Array.from({ length: old.length + 1 }, () => Array.from({ length: fresh.length + 1 }, () => 0));
  for (let i = old.length - 1; i >= 0; i--)
    for (let j = fresh.length - 1; j >= 0; j--)
      lengths[i]![j] =
        old[i] === fresh[j] ? lengths[i + 1]![j + 1]! + 1 : Math.max(lengths[i + 1]![j]!, lengths[i]![j + 1]!);
  return lengths;
}
