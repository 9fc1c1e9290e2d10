/** The likely root cause behind an error's words, and what a user can do about it. */
import { type Cause, health } from "../../contract/index.ts";
import type { Report } from "./report.ts";

const signs: readonly (readonly [Cause, RegExp])[] = [
  ["disk-full", /ENOSPC|EDQUOT|disk is full|disk full|no space left|SQLITE_FULL/i],
  ["store-locked", /SQLITE_(BUSY|LOCKED)|database is locked|another program holds it/i],
  [
    "store-unusable",
    /store\.(unavailable|damaged|newer)|SQLITE_(IOERR|CORRUPT|NOTADB|READONLY|CANTOPEN)|The store cannot be used|disk I\/O error|read-only/i,
  ],
  [
    "daemon-down",
    /daemon[. -](down|unreachable|stopping|start-failed)|sylk\.sock|daemon does not answer|no daemon|ECONNREFUSED.*(sock|7373)/i,
  ],
  ["provider-down", /provider[. -]down|overloaded|rate.?limit|HTTP (429|5\d\d)/i],
];

export const fixes: Readonly<Record<Cause, string>> = {
  "daemon-down": '"sylk up" starts the daemon; "sylk doctor" says why it does not answer',
  "disk-full": "free some space on the disk that holds the home; the daemon recovers by itself",
  "store-locked": "close what has sylk.db open; the daemon recovers by itself",
  "store-unusable": '"sylk doctor" says what is wrong with the store, and how to mend it',
  "provider-down": '"sylk provider test" asks the provider; choose another with "sylk run --provider"',
  unknown: '"sylk health" shows the last errors; "sylk incident resolve" when it is mended',
};

export function readCause({ kind, cause, error = "" }: Pick<Report, "kind" | "cause" | "error">): Cause {
  if (cause !== undefined && cause !== "unknown") return cause;
  const [found] = signs.find(([, sign]) => sign.test(error)) ?? [];
  return found ?? (kind === "provider" ? "provider-down" : "unknown");
}

/** A cause as a reporter may have written it: by its name, or in words. */
export function causeFromWords(words: string): Cause | undefined {
  const named = health.Cause.safeParse(words.trim().toLowerCase().replaceAll(/[\s_]/g, "-"));
  if (named.success) return named.data;
  return signs.find(([, sign]) => sign.test(words))?.[0];
}

const longestFingerprint = 120;

/** The common part of errors of one kind: their words without ids, numbers and paths. */
export function fingerprint(error: string): string {
  return error
    .toLowerCase()
    .replaceAll(/\b[a-z]{3}_[0-9a-z]{22}\b/g, "<id>")
    .replaceAll(/(?:\.{0,2}\/)[^\s"',;:)]+/g, "<path>")
    .replaceAll(/\b[0-9a-f]{8,}\b|\d+/g, "#")
    .replaceAll(/\s+/g, " ")
    .trim()
    .slice(0, longestFingerprint);
}
