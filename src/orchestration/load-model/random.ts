/** Chance that repeats: a seed and a name give the same numbers everywhere, so that one agent more changes no other's luck. */
export type Chance = {
  /** From 0 up to, not including, 1. */
  next(): number;
  happens(share: number): boolean;
  below(count: number): number;
  /** Random with this mean, as times between independent happenings are; never more than four times the mean. */
  about(mean: number): number;
};

export function createChance(seed: number, name: string): Chance {
  let state = hash(`${seed}:${name}`);
  /** Mulberry32: small, fast, and the same on every machine. */
  function next(): number {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }
  return {
    next,
    happens: (share) => next() < share,
    below: (count) => Math.floor(next() * count),
    about: (mean) => Math.min(4 * mean, -mean * Math.log(1 - next())),
  };
}

/** FNV-1a. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  return value | 0;
}
