/**
 * The folder of a socket that is not in its home. It lies where every user may make folders, so the user who made it first
 * could answer in the daemon's name and be given the user's token: it must be a folder, ours, and closed to others.
 */
import { lstatSync, mkdirSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { DomainError } from "../../contract/errors.ts";
import type { HomePaths } from "./home-paths.ts";

/** Refuses a folder that exists and is not as it must be; an absent one is not a trap. */
export function checkSocketFolder({ home, socket }: Pick<HomePaths, "home" | "socket">): void {
  const folder = dirname(socket);
  if (folder === home) return;
  const found = lstatSync(folder, { throwIfNoEntry: false });
  if (found === undefined) return;
  const uid = process.getuid?.();
  if (!found.isDirectory()) throw unsafe(folder, "it is not a folder");
  if (uid !== undefined && found.uid !== uid) throw unsafe(folder, `it belongs to another user (uid ${found.uid})`);
  if ((found.mode & 0o077) !== 0) throw unsafe(folder, "other users may enter it");
}

/** For the daemon that holds the home's lock: a socket that is still there was left by a daemon that is gone. */
export function clearSocketPlace(paths: Pick<HomePaths, "home" | "socket">): void {
  const { socket } = paths;
  checkSocketFolder(paths);
  mkdirSync(dirname(socket), { recursive: true, mode: 0o700 });
  if (lstatSync(socket, { throwIfNoEntry: false })?.isDirectory() === true)
    throw new DomainError(
      "daemon.start-failed",
      `There is a folder at ${socket}, where the daemon's socket belongs; move it away and start again`,
      { details: { socket } },
    );
  rmSync(socket, { force: true });
}

function unsafe(folder: string, reason: string): DomainError {
  return new DomainError(
    "daemon.unreachable",
    `The socket's folder ${folder} cannot be trusted: ${reason}; remove it or correct that ("chmod 700"), or set SYLK_HOME to a path shorter than 90 bytes, which needs no such folder`,
    { details: { where: folder, reason } },
  );
}
