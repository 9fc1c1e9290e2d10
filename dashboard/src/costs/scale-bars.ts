/** Scales of the charts: lengths from values, on a round axis. */

/** The smallest of 1, 2, 5 · 10ⁿ that holds the value. */
export function roundUp(most: number): number {
  if (!(most > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(most));
  return [1, 2, 5, 10].map((step) => step * power).find((step) => step >= most) ?? most;
}

/** A length for each value; undefined for an unknown one, which has no bar. */
export function scaleBars(values: readonly (number | null)[], length: number): readonly (number | undefined)[] {
  const axis = roundUp(Math.max(0, ...values.filter((value) => value !== null)));
  return values.map((value) => (value === null ? undefined : Math.min(length, (Math.max(0, value) / axis) * length)));
}

/** A place in a chart for each point of a line; x from the first to the last time, y from the ground up. */
export function scaleLine(
  points: readonly { readonly at: number; readonly value: number }[],
  { width, height, most }: { readonly width: number; readonly height: number; readonly most: number },
): readonly { readonly x: number; readonly y: number }[] {
  const [first, last] = [points[0]?.at ?? 0, points.at(-1)?.at ?? 0];
  const span = Math.max(1, last - first);
  return points.map(({ at, value }) => ({
    x: ((at - first) / span) * width,
    y: height - Math.min(1, Math.max(0, value / Math.max(1, most))) * height,
  }));
}
