/**
 * The protocol's own tools: its conformance suite and its inspector. They are 144 MB and come from the registry, so they
 * are no dependency of ours: `npm run conformance:mcp` installs these versions beside the caches, and only then the suite
 * runs them.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { repositoryRoot } from "../flows/run-sylk.ts";

export const officialTools = {
  "@modelcontextprotocol/conformance": "0.1.16",
  "@modelcontextprotocol/inspector": "2.12.0",
} as const;
export const toolsFolder = join(repositoryRoot, ".cache", "mcp-tools");

const entries = {
  conformance: "@modelcontextprotocol/conformance/dist/index.js",
  inspector: "@modelcontextprotocol/inspector/clients/launcher/build/index.js",
};

export function entryOf(tool: keyof typeof entries): string {
  return join(toolsFolder, "node_modules", entries[tool]);
}

/** Undefined when exactly the pinned versions are there. */
export function whatIsMissing(): string | undefined {
  const missing = Object.entries(officialTools).filter(([name, version]) => installedVersion(name) !== version);
  return missing.length === 0
    ? undefined
    : `${missing.map((one) => one.join(" ")).join(" and ")} not installed; "npm run conformance:mcp" does it`;
}

function installedVersion(name: string): string | undefined {
  const file = join(toolsFolder, "node_modules", name, "package.json");
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as { version: string }).version : undefined;
}
