/**
 * The page's files by the path they are served at: `dist/page` in a built package, `src/surfaces/page` in a checkout.
 * Read once, so that a daemon keeps serving the page it was built with.
 */
import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, extname, join, sep } from "node:path";
import { fileURLToPath } from "node:url";

export type PageFile = { readonly type: string; readonly content: Buffer };

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
};

export function readPageFiles(): ReadonlyMap<string, PageFile> {
  const folder = pageFolder();
  const names = globSync("**/*.{html,css,js,svg}", { cwd: folder }).map((name) => name.split(sep).join("/"));
  return new Map(
    names.map((name) => [
      name === "index.html" ? "/" : `/${name}`,
      { type: types[extname(name)]!, content: readFileSync(join(folder, name)) },
    ]),
  );
}

/** Beside the bundle's entry or its chunks; in a checkout beside this folder. */
function pageFolder(): string {
  const here = dirname(fileURLToPath(import.meta.url));
  for (const folder of [join(here, "page"), join(here, "..", "page")])
    if (existsSync(join(folder, "index.html"))) return folder;
  throw new Error("the files of the page are missing from this installation; install Sylk again");
}
