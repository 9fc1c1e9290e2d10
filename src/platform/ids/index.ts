/**
 * Ids: prefix + 10 characters of time + 12 of chance, in Crockford's base 32, so that ids sort by creation.
 *
 * Within one millisecond, and while the wall clock runs behind the newest id, the chance part counts on instead: the ids
 * of one process always grow.
 */
import { randomFillSync } from "node:crypto";
import type { IdPrefix, IdsByPrefix } from "../../contract/index.ts";
import type { Clock } from "../clock/index.ts";

export type IdSource = { next<Prefix extends IdPrefix>(prefix: Prefix): IdsByPrefix[Prefix] };

const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";
const chanceLength = 12;

export function randomIds(clock: Clock): IdSource {
  const pool = new Uint8Array(chanceLength * 256);
  let used = pool.length;
  let time = 0;
  let timeText = "";
  const chance = new Uint8Array(chanceLength);

  function draw(): void {
    if (used >= pool.length) {
      randomFillSync(pool);
      used = 0;
    }
    for (let index = 0; index < chanceLength; index++) chance[index] = pool[used++]! & 31;
    // Room to count on: half of the range is always left.
    chance[0]! &= 15;
  }

  return {
    next(prefix) {
      const now = clock.now();
      if (now > time) {
        time = now;
        timeText = timePart(now);
        draw();
      } else countOn(chance);
      return `${prefix}_${timeText}${textOf(chance)}` as IdsByPrefix[typeof prefix];
    },
  };
}

function countOn(digits: Uint8Array): void {
  for (let index = digits.length - 1; index >= 0; index--) {
    if (digits[index]! < 31) {
      digits[index]!++;
      return;
    }
    digits[index] = 0;
  }
}

function textOf(digits: Uint8Array): string {
  let text = "";
  for (const digit of digits) text += alphabet[digit];
  return text;
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
