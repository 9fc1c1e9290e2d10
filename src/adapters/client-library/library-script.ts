/**
 * The client library (`client-library.cjs`): the parts of Sylk that every integration needs, in one file of built-ins that runs
 * wherever a client runs. Each integration carries a copy; `sylk install` puts another into the home, to which they hand over.
 *
 *   check -> the daemon's answer, or "unreachable": a missing answer is not a permission
 *   note  -> a line for the next daemon to count; the only thing that is kept while none runs
 *   nudge -> at most two lines a session about missing parts of this project's setup
 */
import { fillShippedFile } from "../../platform/shipped-files.ts";
import { version } from "../../platform/version.ts";

export const libraryName = "sylk-client.cjs";

/** Its text, which names nothing of a machine. */
export function clientLibrary(own: string = version): string {
  return fillShippedFile("adapters/client-library/client-library.cjs", { VERSION: JSON.stringify(own) });
}
