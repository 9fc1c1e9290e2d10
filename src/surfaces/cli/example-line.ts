/** A command line made from the example of an operation: plain arguments in their order, then flags. */

type Typed = {
  readonly words: string;
  /** Input fields given as plain arguments. */
  readonly fields: readonly string[];
  /** The flag of a field; undefined for a field that cannot be typed. */
  readonly flagOf: (field: string) => string | undefined;
};

export function exampleLine(example: Readonly<Record<string, unknown>>, { words, fields, flagOf }: Typed): string {
  const args = fields.flatMap((field) => valuesOf(example[field]));
  const flags = Object.entries(example).flatMap(([field, value]) => {
    const flag = fields.includes(field) ? undefined : flagOf(field);
    if (flag === undefined) return [];
    return value === true ? [`--${flag}`] : valuesOf(value).flatMap((text) => [`--${flag}`, text]);
  });
  return ["sylk", words, ...args, ...flags].join(" ");
}

function valuesOf(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(valuesOf);
  return typeof value === "string" || typeof value === "number" ? [quoted(String(value))] : [];
}

function quoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `"${text}"`;
}
