/** A price file, ours or the user's: checked line by line, because a wrong price is worse than none. */
import { parse } from "yaml";
import * as z from "zod";
import { DomainError } from "../../contract/index.ts";
import type { Price } from "./price-of.ts";

const perMillion = z.number().min(0).max(100_000).optional();
const Line = z.strictObject({
  model: z.string().min(1).max(200),
  from: z.string().regex(/^\d{4}-\d{2}-\d{2}$/, "must be a date such as 2026-01-31"),
  input: perMillion,
  output: perMillion,
  cacheRead: perMillion,
  cacheWrite: perMillion,
  cacheWriteLong: perMillion,
  source: z.string().max(300).optional(),
});

export function parsePrices(text: string, file: string): readonly Price[] {
  let lines: unknown;
  try {
    lines = parse(text, { schema: "core", maxAliasCount: 0 });
  } catch (error) {
    throw refused(file, error instanceof Error ? error.message.split("\n")[0]! : String(error));
  }
  const checked = z.array(Line).nullish().safeParse(lines);
  if (!checked.success) {
    const [issue] = checked.error.issues;
    throw refused(file, `${issue!.path.join(".") || "the file"}: ${issue!.message}`);
  }
  return (checked.data ?? []).map(({ model, from, source, ...prices }) => ({
    model,
    from: Date.parse(`${from}T00:00:00Z`),
    perMillion: prices,
    source: source ?? file,
  }));
}

function refused(file: string, why: string): DomainError {
  return new DomainError(
    "settings.invalid",
    `The prices in ${file} cannot be used: ${why}. Each line needs model, from (a date) and dollars for a million tokens, such as - { model: my-model, from: 2026-01-31, input: 1, output: 5 }`,
    { details: { problems: [{ key: "prices", message: why }] } },
  );
}
