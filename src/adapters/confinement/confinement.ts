/**
 * Confinement on this machine: the first mechanism whose trial succeeds, or none, with the reason.
 *
 *   Linux   our helper (Perl and system calls): replaces itself by the command, 500 files in 10 ms
 *           bubblewrap, where the helper may not make a namespace and bubblewrap may
 *   macOS   sandbox-exec
 */
import { readFileSync } from "node:fs";
import type { Confinement, ConfinementState, HeldPlaces } from "../../coordination/guard/index.ts";
import type { Clock } from "../../platform/clock/index.ts";
import { bubblewrapWords } from "./bubblewrap.ts";
import { findProgram } from "./find-program.ts";
import { helperFile, helperScript } from "./helper-script.ts";
import { markOf, type Who } from "./mark.ts";
import { runningCommands } from "./running-commands.ts";
import { seatbeltWords } from "./seatbelt.ts";
import { tryWords } from "./trial.ts";

type Mechanism = { readonly name: string; wordsFor(places: HeldPlaces, who: Who): readonly string[] };
type Terms = {
  readonly clock: Clock;
  /** Where `sylk install` puts the helper; used while it is this version's. */
  readonly installedHelper: string;
  readonly platform?: NodeJS.Platform;
  readonly arch?: string;
  readonly isRoot?: boolean;
  /** Of the user whose commands are followed. */
  readonly uid?: number;
};

/** What failed may work later: a setting was changed, a program installed. */
const tryAgainMs = 60_000;

export function createConfinement(terms: Terms): Confinement {
  const { clock, platform = process.platform } = terms;
  let chosen: Mechanism | undefined;
  let tried: { readonly at: number; readonly state: Promise<ConfinementState> } | undefined;

  async function choose(): Promise<ConfinementState> {
    const mechanisms = mechanismsFor(terms);
    const reasons: string[] = [];
    for (const mechanism of mechanisms) {
      const reason = await tryWords((places) => mechanism.wordsFor(places, { agent: "trial", tree: "/", must: true }));
      if (reason === undefined) {
        chosen = mechanism;
        return { enforced: true, by: mechanism.name };
      }
      reasons.push(`${mechanism.name}: ${reason}`);
    }
    return { enforced: false, reason: reasons.join("; ") || `there is no way on ${platform}` };
  }

  function state(): Promise<ConfinementState> {
    const isOld = tried === undefined || (chosen === undefined && clock.monotonic() - tried.at >= tryAgainMs);
    if (isOld) tried = { at: clock.monotonic(), state: choose() };
    return tried!.state;
  }

  return {
    state,
    wordsFor(places, who) {
      if (chosen === undefined) throw new Error("words are asked for where nothing can be enforced");
      return chosen.wordsFor(places, who);
    },
    running: async () =>
      platform === "linux" && (await state()).enforced
        ? runningCommands({ arch: terms.arch, helper: helperAt(terms), uid: terms.uid ?? process.getuid!() })
        : [],
  };
}

function mechanismsFor(terms: Terms): readonly Mechanism[] {
  const { platform = process.platform, arch = process.arch, isRoot = process.getuid?.() === 0 } = terms;
  if (platform === "darwin") return [{ name: "sandbox-exec", wordsFor: seatbeltWords }];
  if (platform !== "linux") return [];
  const helper: Mechanism = {
    name: "mount namespace",
    wordsFor: ({ pinned, readOnly }, who) => [
      findProgram("perl"),
      helperAt(terms),
      "hold",
      arch,
      who.must ? "must" : "may",
      markOf(who),
      ...pinned.map((folder) => `w${folder}`),
      ...readOnly.map((place) => `r${place}`),
      "--",
    ],
  };
  // As root bubblewrap keeps the capabilities by which a mount is undone.
  return isRoot ? [helper] : [helper, { name: "bubblewrap", wordsFor: bubblewrapWords }];
}

/** The installed copy is the one that a prefix runs already: then no second process is needed. */
function helperAt({ installedHelper }: Terms): string {
  try {
    return readFileSync(installedHelper, "utf8") === helperScript() ? installedHelper : helperFile();
  } catch {
    return helperFile();
  }
}
