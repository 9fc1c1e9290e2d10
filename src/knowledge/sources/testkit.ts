/**
 * Claims with the source that they cite, labelled by hand: does the source say it? Written for this purpose. Those that are
 * not said are near misses: a number, a name, a date, a negation, a condition or a direction differs, or something was added.
 */
import { attacksAfter, attacksBefore, type LabelledRows } from "./labelled-attacks.ts";

export type LabelledClaim = { readonly source: string; readonly claim: string; readonly isSaid: boolean };

const rows: LabelledRows = [
  [
    "The daemon writes the journal every 200 ms and flushes it to disk once a second.",
    ["The daemon writes the journal every 200 ms", "The daemon writes the journal every 200 milliseconds"],
    [
      "The daemon writes the journal every 20 ms",
      "The daemon flushes the journal every 200 ms",
      "The daemon writes the journal once a minute",
      "The client writes the journal every 200 ms",
    ],
  ],
  [
    "Redis Cluster splits its keys into 16384 slots.",
    ["Redis Cluster splits its keys into 16384 slots", "Redis Cluster splits keys into 16,384 slots"],
    [
      "Redis Cluster splits its keys into 16383 slots",
      "Cassandra splits its keys into 16384 slots",
      "Redis splits its nodes into 16384 slots",
    ],
  ],
  [
    "Readers do not block writers in write-ahead mode.",
    ["Readers do not block writers in write-ahead mode", "In write-ahead mode, readers do not block writers"],
    [
      "Readers block writers in write-ahead mode",
      "Writers do not block readers in write-ahead mode",
      "Readers do not block writers",
    ],
  ],
  [
    "If the disk is full, the store refuses every change.",
    ["If the disk is full, the store refuses every change"],
    ["The store refuses every change", "The store accepts every change if the disk is full"],
  ],
  [
    "The cache may return a stale value for up to five seconds.",
    ["The cache may return a stale value for up to five seconds", "The cache may return a stale value"],
    [
      "The cache returns a stale value for five seconds",
      "The cache may return a stale value for up to five minutes",
      "The cache never returns a stale value",
    ],
  ],
  [
    "On 12 May 2021 the project moved from Travis to GitHub Actions.",
    ["On 12 May 2021 the project moved from Travis to GitHub Actions"],
    [
      "On 12 May 2022 the project moved from Travis to GitHub Actions",
      "On 21 May 2021 the project moved from Travis to GitHub Actions",
      "On 12 May 2021 the project moved from GitHub Actions to Travis",
      "On 12 May 2021 the project moved from Jenkins to GitHub Actions",
    ],
  ],
  [
    "It is a myth that an index slows down every query.",
    ["It is a myth that an index slows down every query"],
    ["An index slows down every query"],
  ],
  [
    "Retries increase the load on a failing server and decrease the throughput of healthy ones.",
    ["Retries increase the load on a failing server"],
    ["Retries decrease the load on a failing server", "Retries increase the throughput of healthy ones"],
  ],
  [
    "Unread important mail is kept for 90 days.",
    ["Unread important mail is kept for 90 days"],
    ["Important mail is kept for 90 days", "Mail is kept for 90 days", "Unread mail is kept for 90 days"],
  ],
  [
    "Version 3 no longer supports Node 18.",
    ["Version 3 no longer supports Node 18"],
    ["Version 3 supports Node 18", "Version 3 no longer supports Node 20"],
  ],
  [
    "The switch turns the sync off when the battery is low.",
    ["The switch turns the sync off when the battery is low"],
    ["The switch turns the sync on when the battery is low", "The switch turns the sync off"],
  ],
  [
    "A lease ends by release, by expiry, or with its agent.",
    ["A lease ends by release, by expiry, or with its agent", "A lease ends by release"],
    ["A lease ends by release, by expiry, or with its session", "A lease never ends by release"],
  ],
  [
    "At most 5 replicas run in Frankfurt, and none runs in Dublin.",
    ["At most 5 replicas run in Frankfurt"],
    ["5 replicas run in Frankfurt", "At least 5 replicas run in Frankfurt", "At most 5 replicas run in Dublin"],
  ],
  [
    "The parser accepts UTF-8 only and replaces bad bytes.",
    ["The parser accepts UTF-8 only", "The parser accepts UTF-8 only and replaces bad bytes"],
    ["The parser accepts UTF-8 and UTF-16", "The parser accepts UTF-16 only", "The parser rejects bad bytes"],
  ],
  [
    "Ada Lovelace wrote the first program in 1843.",
    ["Ada Lovelace wrote the first program in 1843"],
    ["Charles Babbage wrote the first program in 1843", "Ada Lovelace wrote the first program in 1842"],
  ],
  [
    "The old API is deprecated and will be removed in version 9.",
    ["The old API is deprecated and will be removed in version 9"],
    ["The old API was removed in version 9", "The new API is deprecated and will be removed in version 9"],
  ],
  [
    "Does the client retry a failed upload? The manual leaves that open.",
    ["The manual leaves that open"],
    ["The client retries a failed upload"],
  ],
  [
    "Backups run before the migration, not after it.",
    ["Backups run before the migration, not after it"],
    ["Backups run after the migration", "Backups run before and after the migration"],
  ],
  [
    "The server limits a request to 30 seconds and its body to 10 MB.",
    ["The server limits a request to 30 seconds", "The server limits a request to 30 seconds and its body to 10 MB"],
    [
      "The server limits a request to 30 minutes",
      "The server limits a request to 10 MB",
      "The server limits a request to 30 seconds and its body to 10 GB",
    ],
  ],
  [
    "Some compilers remove the check; GCC 12 keeps it.",
    ["Some compilers remove the check"],
    ["Compilers remove the check", "All compilers remove the check", "GCC 12 removes the check", "GCC 13 keeps it"],
  ],
];

const labelled = (some: LabelledRows): readonly LabelledClaim[] =>
  some.flatMap(([source, said, notSaid]) => [
    ...said.map((claim) => ({ source, claim, isSaid: true })),
    ...notSaid.map((claim) => ({ source, claim, isSaid: false })),
  ]);

/** Each set by when it was written. */
export const labelledSets = {
  first: labelled(rows),
  "attacks, before the rule of wording": labelled(attacksBefore),
  "attacks, after the rule of wording": labelled(attacksAfter),
} as const;
export const labelledClaims: readonly LabelledClaim[] = Object.values(labelledSets).flat();
