/**
 * One argument as a program will get it: its text, and what is not known about it before it runs.
 *
 * `glob` stands where the shell, or a loop over files, puts any number of names; plain characters in it are escaped.
 */
export type Field = {
  readonly text: string;
  readonly glob?: string | undefined;
  /** The source of what cannot be known: a variable, a command's output. */
  readonly unknown?: string | undefined;
  /** The source of a value that may be another one: `${OUT:-here}` where OUT may be set outside. */
  readonly guess?: string | undefined;
};

export function plain(text: string): Field {
  return { text };
}

export function opaque(source: string): Field {
  return { text: "", unknown: source };
}

export function pattern(glob: string): Field {
  return { text: glob, glob };
}

/** The field as a glob that matches exactly its text, or the names it stands for. */
export function asGlob({ text, glob }: Field): string {
  return glob ?? escapeGlob(text);
}

export function escapeGlob(text: string): string {
  return text.replaceAll(/[\\*?[\]{}()!@+]/g, String.raw`\$&`);
}

export function joined(left: Field, right: Field): Field {
  const unknown = left.unknown ?? right.unknown;
  if (unknown !== undefined) return { text: left.text + right.text, unknown };
  const text = left.text + right.text;
  const source = left.guess ?? right.guess;
  const guess = source === undefined ? {} : { guess: source };
  return left.glob === undefined && right.glob === undefined
    ? { text, ...guess }
    : { text, glob: asGlob(left) + asGlob(right), ...guess };
}

/** The field with another text, if all of it is known. */
export function mapped(field: Field, change: (text: string) => string): Field {
  if (field.unknown !== undefined) return field;
  const guess = field.guess === undefined ? {} : { guess: field.guess };
  return { ...(field.glob === undefined ? plain(change(field.text)) : pattern(change(field.glob))), ...guess };
}

/** The last segment, as `cp` and `mv` use it; undefined where there is none (`.`, `/`). */
export function baseName(field: Field): Field | undefined {
  const name = mapped(field, (text) => text.replace(/\/+$/, "").split("/").at(-1) ?? "");
  return ["", ".", ".."].includes(name.text) && name.unknown === undefined ? undefined : name;
}

export function inFolder(folder: Field, name: Field): Field {
  return joined(
    mapped(folder, (text) => (text.endsWith("/") ? text : `${text}/`)),
    name,
  );
}
