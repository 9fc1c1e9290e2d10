/** A home that a newer version has served goes back to an older one on purpose only, never because a command needed a daemon. */
import { readServedBy, type HomePaths } from "../../platform/home/index.ts";
import { protocol, version } from "../../platform/version.ts";
import { compareVersions } from "./judge-versions.ts";
import { tooNew } from "./version-messages.ts";

/** The newer version that served last, if it was one. */
export function newerThatServed({ servedBy }: HomePaths): string | undefined {
  const last = readServedBy(servedBy);
  return last !== undefined && compareVersions(last, version) > 0 ? last : undefined;
}

/** Under the home's lock: a daemon that takes over from an older version has said so before that lock became free. */
export function refuseDowngrade(paths: HomePaths): void {
  const last = newerThatServed(paths);
  if (last !== undefined) throw tooNew({ version, protocol }, { version: last });
}
