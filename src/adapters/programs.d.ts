/**
 * For the type check of the programs in here that other processes run (tsconfig.programs.json): their placeholders, and the
 * names that the text of `client-library/loader.cjs` brings into the program that holds it.
 */
import type * as library from "./client-library/client-library.cjs";

declare global {
  const __VERSION__: string;
  const __HOME__: string;
  const __RECORD_TEXT__: string;
  const __LIBRARY_TEXT__: unknown;
  const __LOADER_TEXT__: unknown;

  const load: NodeJS.Require;
  const builtIn: ClientLibrary;
  function openLibrary(home: string, warn: (line: string) => unknown): ClientLibrary;
  function trustedText(file: string): string;
}

type Advice = { integration: string; session: string; tree: string; say?: (line: string) => unknown };
type ClientLibrary = Omit<typeof library, "nudge"> & { nudge(home: string, about: Advice): void };
