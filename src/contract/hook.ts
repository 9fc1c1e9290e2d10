/**
 * The one interface behind which third-party clients sit: a folder in adapters/ plus the suite in test/conformance.
 * The core knows none of them; an adapter only translates.
 *
 *   what the client sends -> readEvent -> HookEvent -> the guard's operations -> HookVerdict -> launcher -> client
 */
import type { ClientName } from "./agent.ts";
import type { ClientSession } from "./caller.ts";

/** Whose call it is; a sub-agent's session names its parent's. */
export type HookSession = ClientSession & { readonly parent?: string | undefined };

/** An environment variable that names the session of a client; `pid` is the variable with the client's process id. */
export type SessionVariable = { readonly variable: string; readonly client: ClientName; readonly pid?: string };

/** Where a tool call names its client's session in `_meta`; `beside`: only where this text field is there too. */
export type CallSessionField = {
  readonly client: ClientName;
  readonly path: readonly [string, ...string[]];
  readonly beside?: string;
};

export type ClientTask = {
  /** The task list it comes from, as users call it. */
  readonly list: string;
  /** The same at every event of the task, in the form of a work item's id from elsewhere. */
  readonly key: string;
  readonly title: string;
  readonly details?: string | undefined;
  /** Who did it, by the name it has there. */
  readonly by?: string | undefined;
};

/** By the client's id of the call, else by its command. */
export type EndedCall = { readonly call?: string; readonly command?: string };

export type HookEvent =
  | { readonly kind: "session-start"; readonly session: HookSession; readonly cwd: string }
  | {
      readonly kind: "write";
      readonly session: HookSession;
      readonly cwd: string;
      readonly paths: readonly string[];
      /** Absolute globs, for commands that name files by them or whole folders. */
      readonly patterns?: readonly string[];
      /** What may be written besides, and cannot be known before it is: a few words each. */
      readonly unknown?: readonly string[];
      /** Programs whose written files are not known at all. */
      readonly programs?: readonly string[];
      /** Tools of which the same is true. */
      readonly tools?: readonly string[];
      /** Commands of which only git can say which files they change. */
      readonly gitCommands?: readonly { readonly folder: string; readonly args: readonly string[] }[];
      /** The tool and its command line, as local history shows it. */
      readonly command?: string;
      /** The client's id of the call, which its end names again. */
      readonly call?: string;
    }
  /** Tools have run. */
  | {
      readonly kind: "used";
      readonly session: HookSession;
      readonly cwd: string;
      readonly read: readonly string[];
      readonly wrote: readonly string[];
      /** The calls that have ended. */
      readonly ended?: readonly EndedCall[];
      /** Words of a command that met a read-only or busy file. */
      readonly said?: string | undefined;
    }
  /** A shell command is about to start; answered with the words to put before it, a line each. */
  | {
      readonly kind: "shell";
      readonly cwd: string;
      readonly actAs?: string | undefined;
      readonly session?: HookSession | undefined;
      readonly ancestors?: readonly number[] | undefined;
    }
  /** Between two turns, where mail is handed over; `again`: the model has seen what was handed over last. */
  | { readonly kind: "turn-end"; readonly session: HookSession; readonly cwd: string; readonly again: boolean }
  /** What a client's own task list says; it is mirrored, and never the truth. */
  | {
      readonly kind: "task";
      readonly session: HookSession;
      readonly cwd: string;
      readonly change: "created" | "completed";
      readonly task: ClientTask;
    }
  | { readonly kind: "sign-of-life"; readonly session: HookSession; readonly cwd: string }
  | { readonly kind: "session-end"; readonly session: HookSession; readonly cwd: string }
  | {
      readonly kind: "commit";
      readonly cwd: string;
      readonly paths: readonly string[];
      readonly actAs?: string | undefined;
      readonly session?: HookSession | undefined;
      readonly ancestors?: readonly number[] | undefined;
      readonly override?: string | undefined;
      /** Those of the paths that lose lines. */
      readonly removes?: readonly string[] | undefined;
      readonly fencingToken?: number | undefined;
    }
  | {
      readonly kind: "committed";
      readonly cwd: string;
      readonly paths: readonly string[];
      readonly commit: string;
      readonly subject: string;
      readonly actAs?: string | undefined;
      readonly session?: HookSession | undefined;
      readonly ancestors?: readonly number[] | undefined;
    };

/**
 * The launcher's orders. allow: silence. tell: text for the model. warn: text for the person. deny: text, and the tool does
 * not run. degraded: it runs unguarded, which is said and counted.
 */
export type HookVerdict =
  | { readonly verdict: "allow" }
  | { readonly verdict: "tell" | "warn" | "deny" | "degraded"; readonly text: string };

export type HookHeaders = Readonly<Record<string, string | string[] | undefined>>;

export type InstallScope = "local" | "project" | "user";

/** Where a client looks for its settings. */
export type InstallPlaces = {
  readonly tree: string;
  readonly userHome: string;
  readonly env: Readonly<Record<string, string | undefined>>;
};

/** One entry of a client's hook settings. */
export type HookEntry = { readonly event: string; readonly matcher?: string; readonly timeoutSeconds: number };

export type ClientAdapterV1 = {
  readonly version: 1;
  readonly name: string;
  /** Neither its tool calls nor the variables of the servers it starts say which session calls: the model has to. */
  readonly callsNameNoSession?: true;
  /** Undefined for what needs no answer. Throws `input.malformed` for what cannot be understood. */
  readEvent(event: string, body: Uint8Array, headers: HookHeaders): HookEvent | undefined;
  /** Text for the model, in the form in which this client passes it on; undefined where it would drop it. */
  tell(event: string, text: string): string | undefined;
  /**
   * A denial in the client's own form, for one that would show our command line before the text of exit code 2; undefined
   * where exit code 2 says it best. Never more than a denial: an allowing answer would skip the user's own prompts.
   */
  deny?(event: string, text: string): string | undefined;
};

/** Our parts in a client's file besides hooks. `home` undefined: it is looked up when something runs. */
export type ClientPart =
  /** A member of a JSON file, by its path; one that is there already stays. */
  | {
      readonly kind: "member";
      readonly what: string;
      readonly path: readonly [string, string];
      value(home: string | undefined): object;
    }
  /** Marked lines at the end of a text file whose comments begin with #. */
  | {
      readonly kind: "block";
      readonly what: string;
      text(home: string | undefined): string;
      /** Whether the file says the same already, or must not get the lines. */
      unless(text: string): boolean;
    }
  /** A file that is all ours. */
  | { readonly kind: "file"; readonly what: string; text(home: string | undefined): string };

/** A client's own file of instructions, and the line in it that takes in AGENTS.md. */
export type InstructionsFile = { readonly file: string; readonly pointer: string };

export type InstallableClientV1 = ClientAdapterV1 & {
  /** None for a client that reads AGENTS.md itself. */
  readonly instructions?: InstructionsFile;
  /** None for a client that loads a program of ours instead. */
  readonly entries: readonly HookEntry[];
  /** It shows a line of ours if its settings name a command for it. */
  readonly hasStatusline?: true;
  /** The variable, in `env` of its settings, that names a program to put before every shell command. */
  readonly shellPrefixVariable?: string;
  /** Our program in it starts commands of this shell, and of no other, so that files of others are read-only. */
  readonly confinedShell?: string;
  /** How it counts an entry's timeout; in seconds where nothing is said. */
  readonly timeoutsInMs?: boolean;
  settingsFile(scope: InstallScope, places: InstallPlaces): string;
  /** In the settings file itself, or in others beside it. */
  furtherParts?(settings: string): readonly { readonly file: string; readonly part: ClientPart }[];
  /** The file in which it keeps whom its user trusts. */
  trustFile?(places: InstallPlaces): string;
  /** Why it would not run our hooks although they are there. */
  obstacles?(settings: string, places: InstallPlaces): readonly string[];
};
