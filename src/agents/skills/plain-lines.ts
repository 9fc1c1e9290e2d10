/** Values as a person reads them: a line for each, lists set in. A field "text" is said as it is, at the end. */
export function asPlainLines(value: unknown): string {
  if (!isRecord(value)) return said(value);
  const { text, ...rest } = value;
  const lines = Object.entries(rest).flatMap(([name, field]) => linesOf(name, field));
  return [...lines, ...(typeof text === "string" ? [text] : [])].join("\n");
}

function linesOf(name: string, field: unknown): readonly string[] {
  if (Array.isArray(field))
    return field.length === 0 ? [`${name}: none`] : [`${name}:`, ...field.map((item: unknown) => `- ${said(item)}`)];
  return [`${name}: ${said(field)}`];
}

function said(value: unknown): string {
  if (Array.isArray(value)) return value.map(said).join(" ");
  if (!isRecord(value)) return String(value);
  return Object.entries(value)
    .map(([name, field]) => `${name} ${said(field)}`)
    .join(", ");
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
