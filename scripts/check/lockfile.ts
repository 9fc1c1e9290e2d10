/**
 * The lockfile installs everywhere: exact versions, every platform's binaries, no registry's address, and the
 * better-sqlite3 that carries its own binaries.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Check } from "./check.ts";

type Locked = { version?: string; resolved?: string; link?: boolean; optionalDependencies?: Record<string, string> };
type Manifest = Record<"dependencies" | "devDependencies" | "overrides", Record<string, string> | undefined> & {
  allowScripts?: Record<string, boolean>;
};
type Lock = { packages: Record<string, Locked> };

const EXACT = /^(npm:@?[^@]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/;
const SQLITE = "better-sqlite3";
const SQLITE_MAJOR = "13";
const DASHBOARD = "dashboard/package.json";

export const lockfile: Check = {
  name: "lockfile",
  run: (root) => {
    const read = (name: string): string => readFileSync(join(root, name), "utf8");
    const manifest = JSON.parse(read("package.json")) as Manifest;
    const dashboard = existsSync(join(root, DASHBOARD)) ? (JSON.parse(read(DASHBOARD)) as Manifest) : undefined;
    const lock = JSON.parse(read("package-lock.json")) as Lock;
    return Promise.resolve([
      ...looseVersions("package.json", manifest),
      ...(dashboard === undefined ? [] : looseVersions(DASHBOARD, dashboard)),
      ...sqliteProblems(manifest, lock),
      ...lockProblems(lock),
    ]);
  },
};

function looseVersions(file: string, { dependencies, devDependencies, overrides }: Manifest): string[] {
  const all = Object.entries({ ...dependencies, ...devDependencies, ...overrides });
  return all
    .filter(([, version]) => !EXACT.test(version))
    .map(([name, version]) => `${file}: ${name} is "${version}"; pin an exact version`);
}

function sqliteProblems({ allowScripts }: Manifest, { packages }: Lock): string[] {
  const version = packages[`node_modules/${SQLITE}`]?.version;
  const problems: string[] = [];
  if (version?.split(".")[0] !== SQLITE_MAJOR) {
    problems.push(
      `package-lock.json: ${SQLITE} ${SQLITE_MAJOR} is needed (it carries its binaries), found ${version ?? "none"}`,
    );
  }
  // npm ignores the package's "gypfile": false when there is a lockfile and would start a compiler.
  if (allowScripts?.[SQLITE] !== false) problems.push(`package.json: allowScripts must keep "${SQLITE}": false`);
  return problems;
}

function lockProblems({ packages }: Lock): string[] {
  // A link is a workspace of ours, not a package of a registry.
  return Object.entries(packages).flatMap(([path, entry]) => [
    ...(entry.resolved === undefined || entry.link === true
      ? []
      : [`package-lock.json: ${path} names a registry: ${hostOf(entry.resolved)}`]),
    ...missingPlatforms(path, entry, packages),
  ]);
}

/**
 * When a registry lacks a platform's binary, `npm install` drops it from the lockfile silently and the next `npm ci`
 * on that platform stops.
 */
function missingPlatforms(path: string, entry: Locked, packages: Lock["packages"]): string[] {
  const names = Object.keys(entry.optionalDependencies ?? {});
  const locked = (name: string): boolean =>
    `node_modules/${name}` in packages || `${path}/node_modules/${name}` in packages;
  return names.filter((name) => !locked(name)).map((name) => `package-lock.json: ${path} lacks its optional ${name}`);
}

function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).host : address;
}
