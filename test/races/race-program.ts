/**
 * What one agent does in a wave: it goes through the same items and paths in the same order as everybody else, and now and
 * then gives up what it won, tries again, looks, or does what only an owner may do. Counts its attempts to get something.
 */
import type { Random } from "../crash/random.ts";
import type { Racer } from "./racer.ts";

export type Wave = { readonly items: readonly string[]; readonly paths: readonly string[] };

export async function raceThrough({ items, paths }: Wave, racer: Racer, random: Random): Promise<number> {
  const kept: (readonly [path: string, id: string])[] = [];
  let attempts = 0;
  for (let turn = 0; turn < Math.max(items.length, paths.length); turn++) {
    const [item, path] = [items[turn], paths[turn]];
    if (item !== undefined) attempts += await raceForItem(item, racer, random);
    if (path !== undefined) attempts += await raceForPath(path, racer, random, kept);
  }
  for (const [path, id] of kept) await racer.release(path, id);
  return attempts;
}

async function raceForItem(item: string, racer: Racer, random: Random): Promise<number> {
  const won = await racer.claim(item);
  const chance = random.next();
  if (won) {
    if (chance < 0.45) await racer.giveUp(item, "release");
    else if (chance < 0.8) await racer.giveUp(item, "unclaim");
    else if (chance < 0.9) await racer.read(item);
    else await racer.close(item);
    return 1;
  }
  if (chance < 0.2) await racer.read(item);
  else if (chance < 0.25) await racer.giveUp(item, "release"); // it is not its own
  else if (chance < 0.27) await racer.close(item); // goes through where nobody owns it by now
  else if (chance < 0.6) {
    if (await racer.claim(item)) await racer.giveUp(item, "unclaim");
    return 2;
  }
  return 1;
}

async function raceForPath(
  path: string,
  racer: Racer,
  random: Random,
  kept: (readonly [string, string])[],
): Promise<number> {
  const first = random.next() < 0.6 ? "shared" : "exclusive";
  let attempts = 1;
  let id = await racer.acquire(path, first);
  if (id === undefined) {
    if (random.next() < 0.3) await racer.check(path);
    if (random.next() < 0.6) return attempts;
    attempts++;
    id = await racer.acquire(path, first);
    if (id === undefined) return attempts;
  }
  if (random.next() < 0.3) await racer.renew(path, id);
  if (random.next() < 0.2) {
    attempts++;
    await racer.acquire(path, "exclusive"); // a shared hold grows, if nobody shares it
  }
  if (random.next() < 0.1) kept.push([path, id]);
  else {
    await racer.release(path, id);
    const chance = random.next();
    if (chance < 0.05) await racer.release(path, id);
    else if (chance < 0.1) await racer.renew(path, id);
  }
  return attempts;
}
