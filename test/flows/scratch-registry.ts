/** A package registry on loopback with the packages that a test gives it, each one program: what npm asks, it answers. */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { writeTree } from "./scratch-home.ts";

/** Name to the program's text; undefined leaves the program out. */
type Packages = Readonly<Record<string, string | undefined>>;

export async function openRegistry(
  folder: string,
  packages: Packages,
): Promise<AsyncDisposable & { readonly url: string }> {
  const tarballs = new Map(Object.entries(packages).map(([name, program]) => [name, pack(folder, name, program)]));
  const server = createServer((request, response) => {
    const name = decodeURIComponent(request.url!.slice(1)).replace(/\.tgz$/, "");
    const tarball = tarballs.get(name);
    if (tarball === undefined) return void response.writeHead(404).end("{}");
    if (request.url!.endsWith(".tgz")) return void response.end(tarball);
    const integrity = `sha512-${createHash("sha512").update(tarball).digest("base64")}`;
    const dist = { tarball: `${url()}${name}.tgz`, integrity };
    const version = { name, version: "1.2.3", bin: { [name]: "program.sh" }, dist };
    response.end(JSON.stringify({ name, "dist-tags": { latest: "1.2.3" }, versions: { "1.2.3": version } }));
  });
  const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: url(),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function pack(folder: string, name: string, program: string | undefined): Buffer {
  const place = join(folder, `package-${name}`);
  mkdirSync(place, { recursive: true });
  const bin = program === undefined ? {} : { bin: { [name]: "program.sh" } };
  writeTree(join(place, "package"), {
    "package.json": JSON.stringify({ name, version: "1.2.3", ...bin }),
    ...(program === undefined ? {} : { "program.sh": program }),
  });
  execFileSync("tar", ["-czf", "package.tgz", "package"], { cwd: place });
  return readFileSync(join(place, "package.tgz"));
}
