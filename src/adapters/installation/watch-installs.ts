/**
 * Looks whether what was installed is still there, cheaply enough for every hook: the files are read again only when one of
 * them was changed, made or removed. A hook looks when it comes; what is asked while it is answered rests on that look.
 */
import { statSync } from "node:fs";
import { join } from "node:path";
import type { InstallableClientV1 } from "../../contract/index.ts";
import type { Clock } from "../../platform/clock/index.ts";
import type { HomePaths } from "../../platform/home/index.ts";
import { type InstallTrouble, troublesOf } from "./examine-install.ts";
import { gateHooksOf } from "./git-hook.ts";
import { readRecords } from "./install-record.ts";
import { clientPlaces, type Env } from "./install-terms.ts";
import { launcherName } from "./launcher-script.ts";
import { shellPrefixIn } from "./shell-prefix-setting.ts";
import { readText } from "./kept-file.ts";

export type LostPart = InstallTrouble & { readonly kind: Exclude<InstallTrouble["kind"], "outdated"> };
export type InstallWatch = {
  /** The same list while nothing changed. */
  look(): readonly LostPart[];
  /** The list of the last look, if that was within the last second. */
  lookedLately(): readonly LostPart[];
};
type Terms = {
  readonly clock: Clock;
  readonly paths: HomePaths;
  readonly clients: readonly InstallableClientV1[];
  readonly env: Env;
  /** The troubles are others than before; none: all is well again. */
  readonly onChanged: (troubles: readonly LostPart[]) => void;
};

const latelyMs = 1_000;

export function watchInstalls({ onChanged, clock, ...terms }: Terms): InstallWatch {
  let files: readonly string[] = [];
  let seen: string | undefined;
  let lookedAt = -Infinity;
  let troubles: readonly LostPart[] = [];
  function look(): readonly LostPart[] {
    lookedAt = clock.monotonic();
    const now = files.map(stateOf).join("\n");
    if (seen === now) return troubles;
    files = filesOf(terms);
    seen = files.map(stateOf).join("\n");
    const found = troublesNow(terms);
    if (JSON.stringify(found) === JSON.stringify(troubles)) return troubles;
    troubles = found;
    onChanged(found);
    return troubles;
  }
  return { look, lookedLately: () => (clock.monotonic() - lookedAt < latelyMs ? troubles : look()) };
}

/** Of another version, but there: that guards. What cannot be read is not taken for guarded. */
function troublesNow(terms: Omit<Terms, "onChanged" | "clock">): readonly LostPart[] {
  try {
    return troublesOf(terms).filter((trouble): trouble is LostPart => trouble.kind !== "outdated");
  } catch (error) {
    const what = error instanceof Error ? error.message : String(error);
    return [{ client: undefined, tree: undefined, what, kind: "missing" }];
  }
}

function filesOf({ paths, clients, env }: Omit<Terms, "onChanged" | "clock">): readonly string[] {
  const hooks = join(paths.home, "hooks");
  const own = readRecords(paths).flatMap(({ client: name, settings, more, preCommit, tree = "/" }) => {
    const client = clients.find((candidate) => candidate.name === name);
    const prefix = shellPrefixIn(readText(settings.file) ?? "", client?.shellPrefixVariable ?? "");
    return [
      settings.file,
      ...more.map(({ file }) => file),
      ...(preCommit === undefined ? [] : gateHooksOf(preCommit.file)),
      ...(client?.trustFile === undefined ? [] : [client.trustFile(clientPlaces(tree, env))]),
      ...(prefix === undefined ? [] : [prefix]),
    ];
  });
  return [join(hooks, "installed.json"), join(hooks, launcherName), ...new Set(own)];
}

function stateOf(file: string): string {
  const found = statSync(file, { throwIfNoEntry: false, bigint: true });
  return found === undefined ? "-" : `${found.ino} ${found.size} ${found.mtimeNs}`;
}
