/** A closed loop: `loops` callers, each with one claim under way; the first claims warm up and are not counted. */
export type ClaimLoop = { readonly loops: number; readonly warmUp: number; readonly measured: number };

/** Claims per second over the measured part. `claim` is told its number and which loop it belongs to. */
export async function claimRate(
  { loops, warmUp, measured }: ClaimLoop,
  claim: (index: number, loop: number) => Promise<unknown>,
): Promise<number> {
  let next = 0;
  let done = 0;
  let startedAt = 0;
  async function loop(_: unknown, number: number): Promise<void> {
    while (next < warmUp + measured) {
      await claim(next++, number);
      if (++done === warmUp) startedAt = performance.now();
    }
  }
  await Promise.all(Array.from({ length: loops }, loop));
  return measured / ((performance.now() - startedAt) / 1000);
}
