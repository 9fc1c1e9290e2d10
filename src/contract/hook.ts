/**
 * The one interface behind which third-party clients sit: a folder in adapters/ plus the suite in test/conformance.
 * The core knows none of them; an adapter only translates.
 *
 *   what the client sends -> readEvent -> HookEvent -> the guard's operations -> HookVerdict -> launcher -> client
 */
import type { ClientSession } from "./caller.ts";

/** Whose call it is; a sub-agent's session names its parent's. */
export type HookSession = ClientSession & { readonly parent?: string | undefined };

export type HookEvent =
  | { readonly kind: "session-start"; readonly session: HookSession; readonly cwd: string }
  | { readonly kind: "write"; readonly session: HookSession; readonly cwd: string; readonly paths: readonly string[] }
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
  /** Undefined for what needs no answer. Throws `input.malformed` for what cannot be understood. */
  readEvent(event: string, body: Uint8Array, headers: HookHeaders): HookEvent | undefined;
  /** Text for the model, in the form in which this client passes it on. */
  tell(event: string, text: string): string;
};

export type InstallableClientV1 = ClientAdapterV1 & {
  readonly entries: readonly HookEntry[];
  settingsFile(scope: InstallScope, places: InstallPlaces): string;
};
