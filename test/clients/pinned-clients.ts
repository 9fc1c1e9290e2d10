/**
 * The real clients in the versions that we try. They are hundreds of MB and come from the registry, so they are no dependency
 * of ours: `npm run test:clients` installs them beside the caches.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { repositoryRoot } from "../flows/run-sylk.ts";

export const pinnedClients = {
  "@google/gemini-cli": "0.61.0",
  "@openai/codex": "0.166.0",
  "@opencode-ai/plugin": "1.18.33",
  "opencode-ai": "1.18.33",
} as const;
/** Of Claude Code only what its maker publishes of its types: the package is unpacked, and neither it nor what it needs is run. */
export const pinnedTypes = { "@anthropic-ai/claude-agent-sdk": "0.3.325" } as const;
export const clientsFolder = join(repositoryRoot, ".cache", "real-clients");

/** What no test can cover, and why; the report says so. */
export const notPart = [
  [
    "sessions of Claude Code where the user does not have it",
    "its command line is proprietary and is never installed: it is tried where it is on the PATH or SYLK_TEST_CLAUDE names it, and its rows count as skipped elsewhere",
  ],
  [
    "Codex's dialog /hooks",
    "it needs a terminal; trust is recorded by Codex's own app server instead, as the dialog does",
  ],
] as const;

/** Undefined when exactly the pinned versions are there. */
export function whatIsMissing(): string | undefined {
  const pinned = Object.entries({ ...pinnedClients, ...pinnedTypes });
  const missing = pinned.filter(([name, version]) => installedVersion(name) !== version);
  return missing.length === 0
    ? undefined
    : `${missing.map((one) => one.join(" ")).join(" and ")} not installed; "npm run test:clients" does it`;
}

export function inClients(name: string): string {
  return join(name in pinnedTypes ? join(clientsFolder, "types") : clientsFolder, "node_modules", name);
}

function installedVersion(name: string): string | undefined {
  const file = join(inClients(name), "package.json");
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as { version: string }).version : undefined;
}

/** From the registry; undefined when everything is there afterwards. */
export function installClients(): string | undefined {
  mkdirSync(clientsFolder, { recursive: true });
  const manifest = { private: true, dependencies: pinnedClients };
  writeFileSync(join(clientsFolder, "package.json"), `${JSON.stringify(manifest, undefined, 2)}\n`);
  npm("install", "--no-audit", "--no-fund");
  for (const [name, version] of Object.entries(pinnedTypes)) {
    const folder = inClients(name);
    mkdirSync(folder, { recursive: true });
    const packed = npm("pack", `${name}@${version}`, "--silent").trim();
    spawnSync("tar", ["-xzf", join(clientsFolder, packed), "-C", folder, "--strip-components=1"]);
  }
  return whatIsMissing();
}

function npm(...args: readonly string[]): string {
  const { stdout } = spawnSync("npm", [...args, "--loglevel=error"], {
    cwd: clientsFolder,
    stdio: ["ignore", "pipe", "inherit"],
    encoding: "utf8",
    env: { ...process.env, PATH: [dirname(process.execPath), process.env["PATH"]].join(delimiter) },
  });
  return stdout;
}
