/**
 * The loader (`loader.cjs`) is a part of each integration: its own copy of the client library, and the choice between copies.
 *
 *   SYLK_CLIENT_LIBRARY (a developer's) -> the installed one in the home -> the built-in one
 *
 * A copy from outside runs only if the user owns it, no other user may write it, and its checksum is the installed one; the
 * loader runs the same bytes that it checked. Otherwise the built-in copy runs, with a warning.
 */
import { hash } from "node:crypto";
import { fillShippedFile } from "../../platform/shipped-files.ts";
import { version } from "../../platform/version.ts";
import { clientLibrary, libraryName } from "./library-script.ts";

export const libraryRecordName = "sylk-client.json";

/** Lies beside the installed copy and holds its version and checksum. */
export function libraryRecord(text: string, own: string = version): string {
  return `${JSON.stringify({ version: own, sha256: hash("sha256", text, "hex") })}\n`;
}

/** Text that needs `load`, which is `require`, and gives `openLibrary(home, warn)`. */
export function libraryLoader(own: string = version): string {
  return fillShippedFile("adapters/client-library/loader.cjs", {
    LIBRARY_TEXT: clientLibrary(own).trimEnd(),
    LIBRARY_FILE: libraryName,
    RECORD_FILE: libraryRecordName,
  });
}
