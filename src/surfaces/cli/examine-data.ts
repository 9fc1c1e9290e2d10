/** The store's checks of `sylk doctor`: its file, read beside a running daemon or without one, and the backups. */
import { existsSync } from "node:fs";
import { DomainError } from "../../contract/errors.ts";
import { entryPoints, type StoppedStore } from "./entry-points.ts";
import type { Finding, DoctorTerms } from "./finding.ts";
import { ago, megabytes } from "./wording.ts";

export async function checkData({ paths }: DoctorTerms): Promise<Finding> {
  const places = [paths.database, `${paths.database}-wal`];
  if (!places.some((place) => existsSync(place)))
    return { check: "data", state: "ok", what: "the daemon's first start creates the store" };
  const store = await entryPoints().store();
  const [newest] = store.backups(paths);
  try {
    const { bytes, pending } = store.inspect(paths);
    const upgrade = pending === 0 ? "" : `, ${pending} migrations to run at the next start, after a backup`;
    return { check: "data", state: "ok", what: `whole, ${megabytes(bytes)}${upgrade}; ${backupText(newest)}` };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return { check: "data", state: "problem", what: error.message, fix: wayOut(error, newest) };
  }
}

function backupText(newest: ReturnType<StoppedStore["backups"]>[number] | undefined): string {
  return newest === undefined ? 'no backup yet ("sylk backup" creates one)' : `newest backup ${ago(newest.at)}`;
}

function wayOut({ code }: DomainError, newest: { readonly file: string } | undefined): string {
  if (code === "store.newer") return "upgrade Sylk to the version that wrote it";
  if (code !== "store.damaged") return "fix the named problem";
  return newest === undefined
    ? "sylk restore <file> with a copy of yours; there is no backup in this home"
    : `sylk restore ${newest.file}`;
}
