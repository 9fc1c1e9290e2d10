/**
 * The dashboard's files by the path they are served at. Read once, so that a daemon keeps serving the page it was built
 * with. A daemon that runs from a checkout serves what the last build made.
 */
import { existsSync, globSync, readFileSync } from "node:fs";
import { extname, join, sep } from "node:path";
import { shippedFile } from "../../platform/shipped-files.ts";

export type PageFile = { readonly type: string; readonly content: Buffer };

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
};
const notBuilt = `<!doctype html><html lang="en"><title>Sylk</title>
<p>The dashboard of this checkout is not built. Run "npm run build", then restart the daemon.</p></html>`;

export function readPageFiles(): ReadonlyMap<string, PageFile> {
  const folder = [shippedFile("dashboard"), shippedFile("../dist/files/dashboard")].find((place) => existsSync(place));
  if (folder === undefined) return filesWithoutBuild();
  const names = globSync("**/*", { cwd: folder }).filter((name) => extname(name) in types);
  return new Map(
    names.map((name) => [
      name === "index.html" ? "/" : `/${name.split(sep).join("/")}`,
      { type: types[extname(name)]!, content: readFileSync(join(folder, name)) },
    ]),
  );
}

function filesWithoutBuild(): ReadonlyMap<string, PageFile> {
  const page = { type: types[".html"]!, content: Buffer.from(notBuilt) };
  return new Map([
    ["/", page],
    ["/signin-refused.html", page],
  ]);
}
