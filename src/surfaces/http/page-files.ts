/**
 * The page's files by the path they are served at. Read once, so that a daemon keeps serving the page it was built with.
 */
import { extname } from "node:path";
import { listShippedFiles, readShippedFile } from "../../platform/shipped-files.ts";

export type PageFile = { readonly type: string; readonly content: Buffer };

const folder = "surfaces/page";
const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
};

export function readPageFiles(): ReadonlyMap<string, PageFile> {
  return new Map(
    listShippedFiles(folder, Object.keys(types)).map((path) => [
      path === `${folder}/index.html` ? "/" : path.slice(folder.length),
      { type: types[extname(path)]!, content: Buffer.from(readShippedFile(path)) },
    ]),
  );
}
