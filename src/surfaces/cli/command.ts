/** The definition of a command: how it is called, how it is explained, what it does. Help, parsing and completion read the same value. */
import type { ErrorCode } from "../../contract/errors.ts";
import type { ClientSession, OperationName } from "../../contract/index.ts";
import type { HomePaths } from "../../platform/home/index.ts";
import type { SylkClient } from "../client/index.ts";
import type { Output } from "./output.ts";

export type ArgumentTerms = {
  readonly name: string;
  readonly describe: string;
  readonly required?: boolean;
  readonly variadic?: boolean;
};
export type FlagTerms = {
  readonly describe: string;
  /** Placeholder of the value; a flag without one is a switch. */
  readonly value?: string;
  /** Placeholder of a value that may be left out; the flag is then true. */
  readonly optionalValue?: string;
  readonly repeat?: boolean;
  readonly short?: string;
  readonly choices?: readonly string[];
  /** An older name that still works; no help shows it. */
  readonly hidden?: boolean;
};
export type FlagValues = Readonly<Record<string, string | readonly string[] | boolean | undefined>>;

type ConnectTerms = {
  readonly answerWithinMs?: number;
  readonly session?: ClientSession;
  readonly actAs?: string;
  readonly overMcp?: boolean;
};

export type CommandContext = {
  readonly args: readonly (string | readonly string[] | undefined)[];
  /** By flag name as it is typed, without the dashes. */
  readonly flags: FlagValues;
  readonly json: boolean;
  readonly out: Output;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Another project that the command names, where the call stays that of the agent here. */
  readonly elsewhere?: string;
  readonly paths: HomePaths;
  /**
   * A client of the daemon, which is started if it does not run. With a time limit, slowness is an error of its own;
   * `session` and `actAs`: for calls that say which one makes them; `overMcp`: a model's.
   */
  connect(terms?: ConnectTerms): Promise<SylkClient>;
  /** Aborts on Ctrl-C. */
  readonly signal: AbortSignal;
};

export type Command = {
  readonly words: string;
  readonly summary: string;
  readonly example: string;
  readonly arguments?: readonly ArgumentTerms[];
  readonly flags?: Readonly<Record<string, FlagTerms>>;
  /** Longer explanation under the usage line. */
  readonly details?: string;
  /** `--project` is a part of its input: in a repository, the call stays that of the agent there. */
  readonly staysHere?: boolean;
  /** What its operation may answer; help says with which exit codes. */
  readonly errors?: readonly ErrorCode[];
  /** Returns the exit code; undefined is 0. */
  run(context: CommandContext): Promise<number | undefined | void>;
};

/** The part of a command that its operation explains. */
export type Explanation = Pick<Command, "example" | "errors" | "arguments" | "flags">;

/** A command as its file writes it: the table adds its words, its operation everything that is not written. */
export type WrittenCommand = Omit<Command, "words" | "summary" | "example"> & {
  /** The operation whose summary is the command's. */
  readonly operation?: OperationName;
  /** Of a command that no operation sums up. */
  readonly summary?: string;
  readonly example?: string;
  /** It takes no plain arguments; known without loading the operation. */
  readonly isBare?: boolean;
  /** Loads the operation, so only when the command is wanted. */
  explain?(words: string): Promise<Explanation>;
};

export const commonFlags: Readonly<Record<string, FlagTerms>> = {
  json: { describe: "print the result as JSON" },
  folder: { describe: "run as if started in this folder", value: "folder", short: "C" },
  project: { describe: "name or folder of the project (default: here)", value: "project" },
  as: { describe: "agent to act for, by name or id (or SYLK_AGENT)", value: "agent" },
};
