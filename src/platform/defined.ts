/** Leaves out fields without a value, for types that know "absent" but not "undefined". */
export type Defined<Fields extends object> = {
  [Key in keyof Fields as undefined extends Fields[Key] ? never : Key]: Fields[Key];
} & { [Key in keyof Fields as undefined extends Fields[Key] ? Key : never]?: Exclude<Fields[Key], undefined> };

export function defined<Fields extends object>(fields: Fields): Defined<Fields> {
  const kept: Partial<Fields> = {};
  for (const key of Object.keys(fields) as (keyof Fields)[]) if (fields[key] !== undefined) kept[key] = fields[key];
  return kept as Fields;
}
