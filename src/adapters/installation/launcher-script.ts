/**
 * The launcher (`launcher.sh`) is the program that clients and git start: POSIX sh and curl, or `exchange.cjs` where curl is
 * missing. Without a daemon it starts one, by the command that started the last one. Exit code 2 is an intended denial and nothing else, because clients read it
 * as one.
 *
 * `exchange.cjs` stands in for curl, with curl's exit codes, and runs the client library's advice once a session. It avoids
 * Node's own streams for standard input and output, which cost 13 ms to load, and a checksum, which costs 8 ms.
 */
import type { HomePaths } from "../../platform/home/index.ts";
import { fillShippedFile, readShippedFile } from "../../platform/shipped-files.ts";
import {
  clientLibrary,
  libraryLoader,
  libraryName,
  libraryRecord,
  libraryRecordName,
} from "../client-library/index.ts";

type LauncherPlaces = { readonly paths: HomePaths; readonly node: string };

export const launcherName = "sylk-hook";
export const exchangeName = "exchange.cjs";

export function launcherScript({ paths, node }: LauncherPlaces): string {
  const places = [`home=${quoted(paths.home)}`, `socket=${quoted(paths.socket)}`, `node=${quoted(node)}`];
  return launcherWith("sylk install", places.join("\n"));
}

/** For files that are published: looks its home up, and does nothing where Sylk was never set up. */
export function publishedLauncher(): string {
  return launcherWith("npm run generate", readShippedFile("adapters/installation/published-places.sh").trimEnd());
}

function launcherWith(writer: string, places: string): string {
  return fillShippedFile("adapters/installation/launcher.sh", {
    WRITER: writer,
    PLACES: places,
    LAUNCHER_FILE: launcherName,
    EXCHANGE_FILE: exchangeName,
    LIBRARY_FILE: libraryName,
  });
}

export function exchangeScript(): string {
  return fillShippedFile("adapters/installation/exchange.cjs", {
    LOADER_TEXT: libraryLoader().trimEnd(),
    RECORD_FILE: libraryRecordName,
    RECORD_TEXT: JSON.stringify(libraryRecord(clientLibrary())),
  });
}

/** For sh: nothing in single quotes is special. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
