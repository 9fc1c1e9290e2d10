/**
 * To which repositories' settings the user has agreed, by the hash of the very text: a changed file asks again. Kept in the
 * user's home, never in the repository.
 *
 *   sylk config trust -> config.trust -> audit + this file -> resolve-settings believes the file's looser values
 */
import { readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import * as z from "zod";

const Consent = z.strictObject({ file: z.string(), digest: z.string(), at: z.int() });
const Stored = z.strictObject({ version: z.literal(1), items: z.array(Consent) });
export type Consent = Readonly<z.infer<typeof Consent>>;

export type Consents = {
  /** Changes when a consent was given or taken back. */
  stamp(): string;
  of(file: string): Consent | undefined;
  give(consent: Consent): void;
  /** False where there was none. */
  takeBack(file: string): boolean;
};

export function consentsIn(file: string): Consents {
  let read: { readonly stamp: string; readonly items: readonly Consent[] } = { stamp: "", items: [] };
  const stamp = (): string => {
    const found = statSync(file, { throwIfNoEntry: false });
    return found === undefined ? "" : `${found.ino}:${found.size}:${found.mtimeMs}`;
  };
  const items = (): readonly Consent[] => {
    const now = stamp();
    if (now !== read.stamp) read = { stamp: now, items: now === "" ? [] : parsed(file) };
    return read.items;
  };
  const write = (next: readonly Consent[]): void => {
    const partial = `${file}.partial`;
    writeFileSync(partial, `${JSON.stringify({ version: 1, items: next }, null, 2)}\n`, { mode: 0o600 });
    renameSync(partial, file);
  };
  const others = (than: string): readonly Consent[] => items().filter((one) => one.file !== than);
  return {
    stamp,
    of: (wanted) => items().find((one) => one.file === wanted),
    give: (consent) => write([...others(consent.file), consent]),
    takeBack(wanted) {
      const rest = others(wanted);
      if (rest.length === items().length) return false;
      write(rest);
      return true;
    },
  };
}

/** A file that cannot be understood agrees to nothing. */
function parsed(file: string): readonly Consent[] {
  try {
    return Stored.parse(JSON.parse(readFileSync(file, "utf8"))).items;
  } catch {
    return [];
  }
}
