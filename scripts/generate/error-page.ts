/** The reference of errors. */
import { errorFamilies, errorTable } from "../../src/contract/index.ts";
import { page, table } from "./page.ts";

export function errorPage(): string {
  const families = Object.entries(errorFamilies).map(([name, { http, exit, retry, replayed }]) => [
    name,
    String(http),
    String(exit),
    retry,
    replayed ? "yes" : "no",
  ]);
  const codes = Object.entries(errorTable).map(([code, row]) => [
    `\`${code}\``,
    row.family,
    String("http" in row ? row.http : errorFamilies[row.family].http),
    row.when,
    row.carries,
  ]);
  const intro =
    'Every refusal and failure has the body `{"error": {"code", "message", "details", "retryAfterMs"?}}`. ' +
    "The family says what to do: it decides the HTTP status, the command's exit code, and whether a retry makes sense.";
  return page("Errors", intro, [
    table(["family", "HTTP", "exit code", "retry", "replayed for the same Idempotency-Key"], families),
    table(["code", "family", "HTTP", "when", "details carry"], codes),
  ]);
}
