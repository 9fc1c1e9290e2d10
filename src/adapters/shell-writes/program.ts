/** The input of a program's reader: its arguments, and functions to report what the program does with them. */
import type { Field } from "./field.ts";
import type { Manner } from "./report.ts";

export type Input = {
  /** A heredoc or here-string, as its source. */
  readonly text?: string | undefined;
  /** It is a diff that git makes; its text is not known. */
  readonly patch?: Patch | undefined;
  /** The names that come through the pipe, one argument each, where they can be known. */
  readonly names?: readonly Field[] | undefined;
};

/** Of these files, or of all; between these commits and the tree. */
export type Patch = { readonly paths: readonly Field[]; readonly commits: readonly Field[] };

export type Doings = {
  readonly cwd: string | undefined;
  readonly input: Input;
  readonly write: (field: Field, how?: Manner & { readonly why?: string }) => void;
  /** From now on, a write to the first is one to the second. */
  readonly link: (place: Field, target: Field) => void;
  readonly doubt: (what: string, why: string) => void;
  /** The program writes files that are not known at all; its name, and its subcommand where that says more. */
  readonly unknownProgram: (name: string) => void;
  /** A git command whose files only git can name; its arguments from the subcommand on. */
  readonly git: (args: readonly Field[]) => void;
  /** Git's answers about later commands rest on a state that this command changes. */
  readonly changeRepository: (by: string) => void;
  /** The value of a variable, where it is known. */
  readonly valueOf: (name: string) => Field | undefined;
  readonly aliases: Map<string, string>;
  /** Text of a small file, where it can be read. */
  readonly read: (file: Field) => string | undefined;
  /** The file has this text from now on; undefined: another one, which is not known. */
  readonly keep: (file: Field, text: string | undefined) => void;
  /** What the same command line wrote into the file. */
  readonly kept: (file: Field) => Input | undefined;
  /** Whether the same command line wrote the file. */
  readonly written: (file: Field) => boolean;
  /** The names in an archive, where it can be looked into. */
  readonly packed: (archive: Field) => readonly string[] | undefined;
  /** Another program, started by this one; `assignments`: variables that it gets. */
  readonly run: (
    argv: readonly Field[],
    change?: { readonly cwd?: Field; readonly input?: Input; readonly assignments?: readonly Field[] },
  ) => void;
  /** Shell text, run by this program in a shell of its own. */
  readonly shell: (text: string, positional?: readonly Field[]) => void;
};

export type Program = (args: readonly Field[], doings: Doings, name: string) => void;
