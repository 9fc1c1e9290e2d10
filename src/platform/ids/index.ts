/** Ids: prefix + 10 characters of time + 12 of chance, in Crockford's base 32, so that ids sort by creation. */
import { randomFillSync } from "node:crypto";
import type { IdPrefix, IdsByPrefix } from "../../contract/index.ts";
import type { Clock } from "../clock/index.ts";

export type IdSource = { next<Prefix extends IdPrefix>(prefix: Prefix): IdsByPrefix[Prefix] };

const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";
const chanceLength = 12;

export function randomIds(clock: Clock): IdSource {
  const pool = new Uint8Array(chanceLength * 256);
  let used = pool.length;
  return {
    next(prefix) {
      if (used >= pool.length) {
        randomFillSync(pool);
        used = 0;
      }
      let chance = "";
      for (let index = 0; index < chanceLength; index++) chance += alphabet[pool[used++]! & 31];
      return `${prefix}_${timePart(clock.now())}${chance}` as IdsByPrefix[typeof prefix];
    },
  };
}

function timePart(now: number): string {
  let rest = now;
  let text = "";
  for (let index = 0; index < 10; index++) {
    text = alphabet[rest % 32]! + text;
    rest = Math.floor(rest / 32);
  }
  return text;
}
