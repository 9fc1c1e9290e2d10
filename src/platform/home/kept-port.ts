/**
 * The port that a home's daemon had last: clients have its address in their settings, so the next daemon takes it again,
 * also when the wanted port, which another program had, is free by then.
 */
import { readFileSync, renameSync, writeFileSync } from "node:fs";

/** `wanted` was asked for when `bound` was taken; another wish makes the memory void. */
type KeptPort = { readonly wanted: number; readonly bound: number };

export function portToTry(file: string, wanted: number): number {
  const kept = read(file);
  return kept?.wanted === wanted ? kept.bound : wanted;
}

/** Replaced as a whole, and only when it changes: a start on a full disk must not fail for it. */
export function keepPort(file: string, port: KeptPort): void {
  const kept = read(file);
  if (kept?.wanted === port.wanted && kept.bound === port.bound) return;
  const fresh = `${file}.${process.pid}`;
  writeFileSync(fresh, `${JSON.stringify(port)}\n`, { mode: 0o600 });
  renameSync(fresh, file);
}

function read(file: string): KeptPort | undefined {
  try {
    const { wanted, bound } = JSON.parse(readFileSync(file, "utf8")) as Partial<KeptPort>;
    return Number.isInteger(wanted) && Number.isInteger(bound) && bound! > 0 && bound! < 65_536
      ? { wanted: wanted!, bound: bound! }
      : undefined;
  } catch {
    return undefined; // absent or torn by hand: no port is kept
  }
}
