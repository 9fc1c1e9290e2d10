/** The place of a client's own records of model calls: a folder of line files, or another source such as a database. */
import { homedir } from "node:os";
import type { IntakePorts, RecordSource } from "../../oversight/ledger/index.ts";
import { type TranscriptFolder, transcriptsIn } from "./transcript-files.ts";

type Env = Readonly<Record<string, string | undefined>>;
export type ClientUsage = {
  readonly transcripts?: (env: Env) => TranscriptFolder;
  readonly records?: (env: Env) => RecordSource;
};

export function usageSources(usages: readonly ClientUsage[], env: Env): Pick<IntakePorts, "transcripts" | "others"> {
  return {
    transcripts: transcriptsIn(usages.flatMap(({ transcripts }) => transcripts?.(env) ?? [])),
    others: usages.flatMap(({ records }) => records?.(env) ?? []),
  };
}

export function userHome(env: Env): string {
  return env.HOME || homedir();
}
