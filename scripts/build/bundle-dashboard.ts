/** Builds the dashboard with Vite, in memory, for dist/files/dashboard, where the daemon reads it from. */
import { existsSync, globSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { build, type Rolldown } from "vite";
import type { Bundle } from "./bundle.ts";

const FOLDER = "dashboard";

/** A tree without the folder has no dashboard to build. */
export async function bundleDashboard(root: string): Promise<Bundle> {
  if (!existsSync(join(root, FOLDER))) return { files: new Map(), bundledPaths: [] };
  const built = await build({
    configFile: join(root, FOLDER, "vite.config.ts"),
    build: { write: false },
    logLevel: "warn",
  });
  const outputs = [built].flat().flatMap((result) => ("output" in result ? result.output : []));
  return {
    files: new Map([...publicFiles(root), ...outputs.map(contentOf)]),
    bundledPaths: outputs.flatMap((output) => modulesOf(root, output)),
  };
}

function contentOf(output: Rolldown.OutputChunk | Rolldown.OutputAsset): [string, Uint8Array] {
  const content = output.type === "chunk" ? output.code : output.source;
  return [inDist(output.fileName), typeof content === "string" ? Buffer.from(content) : content];
}

/** Files of other packages, for their licences. */
function modulesOf(root: string, output: Rolldown.OutputChunk | Rolldown.OutputAsset): string[] {
  const ids = output.type === "chunk" ? output.moduleIds : [];
  return ids
    .filter((id) => id.includes("node_modules") && !id.startsWith("\0"))
    .map((id) => relative(root, id.split("?")[0]!));
}

/** Vite copies these only when it writes. */
function publicFiles(root: string): [string, Uint8Array][] {
  const folder = join(root, FOLDER, "public");
  return globSync("**/*", { cwd: folder }).map((path) => [
    inDist(path.split(sep).join("/")),
    readFileSync(join(folder, path)),
  ]);
}

function inDist(path: string): string {
  return `files/${FOLDER}/${path}`;
}
