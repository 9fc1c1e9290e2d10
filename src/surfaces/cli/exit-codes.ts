/** The exit codes a command may end with, for its help: from the one table of errors, by what the caller should do. */
import { errorFamilies, errorTable, type ErrorCode, type ErrorFamily } from "../../contract/errors.ts";

/** Any command can be mistyped, find no daemon, be refused its token, or meet a defect. */
const everywhere: readonly ErrorFamily[] = ["invalid", "unavailable", "unauthenticated", "denied", "bug"];

/** `errors` are those of the command's operation; a command that has none of its own may meet any. */
export function exitCodeLines(errors: readonly ErrorCode[] | undefined): readonly string[] {
  const possible =
    errors === undefined ? allFamilies : [...everywhere, ...errors.map((code) => errorTable[code].family)];
  const codes = [...new Set(possible.map((family) => errorFamilies[family].exit))].toSorted((a, b) => a - b);
  return ["0   done", ...codes.map((exit) => `${String(exit).padEnd(3)} ${meaningOf(exit)}`)];
}

const allFamilies = Object.keys(errorFamilies) as ErrorFamily[];

function meaningOf(exit: number): string {
  const families = allFamilies.filter((family) => errorFamilies[family].exit === exit);
  return families.map((family) => `${family} (retry: ${errorFamilies[family].retry})`).join(", ");
}
