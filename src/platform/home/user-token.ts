/** The user's token: made once per home, readable by the user alone. */
import { chmodSync, linkSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { newToken } from "../tokens.ts";

export function readUserToken(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8").trim() || undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/** Written beside and linked into place: a reader of the file sees a whole token. */
export function ensureUserToken(file: string): string {
  const known = readUserToken(file);
  if (known !== undefined) {
    chmodSync(file, 0o600);
    return known;
  }
  const token = newToken("usr");
  const fresh = `${file}.${process.pid}`;
  rmSync(file, { force: true });
  writeFileSync(fresh, `${token}\n`, { mode: 0o600 });
  linkSync(fresh, file);
  rmSync(fresh);
  return token;
}
