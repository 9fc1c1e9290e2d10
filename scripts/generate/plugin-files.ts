/**
 * The published plugins, made from the adapters, package.json and integration.json:
 *
 *   plugins/sylk/        Claude Code plugin and marketplace, Agent Plugins 1.0 package, marketplace for Codex
 *   plugins/sylk/codex/  Codex plugin
 *   plugins/gemini/      Gemini CLI extension
 *   plugins/opencode/    opencode plugin
 *
 * Nothing in them names a place of a machine, and everything is silent where Sylk was never set up.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { claudeCode } from "../../src/adapters/claude-code/index.ts";
import { codex } from "../../src/adapters/codex/index.ts";
import { gemini } from "../../src/adapters/gemini/index.ts";
import {
  exchangeName,
  exchangeScript,
  launcherName,
  publishedLauncher,
} from "../../src/adapters/installation/index.ts";
import { opencodePlugin } from "../../src/adapters/opencode/index.ts";
import { Integration } from "../../src/adapters/plugins/index.ts";
import type { HookEntry, InstallableClientV1 } from "../../src/contract/index.ts";

const root = join(import.meta.dirname, "..", "..");
const skill = "skills/working-beside-other-agents/SKILL.md";
const Package = z.object({
  version: z.string(),
  description: z.string(),
  license: z.string(),
  keywords: z.array(z.string()),
});

export function pluginFiles(): readonly (readonly [string, string])[] {
  const { version, license, keywords, ...manifest } = Package.parse(readJson("package.json"));
  const description = describe(manifest.description);
  const owner = { name: "Sylk" };
  const plugin = { name: "sylk", version, description, license, keywords };
  const server = { command: "sylk", args: ["mcp"] };
  return [
    ["plugins/sylk/.claude-plugin/plugin.json", json({ ...plugin, author: owner })],
    [
      "plugins/sylk/.claude-plugin/marketplace.json",
      json({ name: "sylk", owner, description, plugins: [{ name: "sylk", source: "./", description, version }] }),
    ],
    ["plugins/sylk/plugin.json", json({ $schema: agentPlugins("plugin"), ...plugin })],
    ["plugins/sylk/.mcp.json", json({ mcpServers: { sylk: server } })],
    [
      "plugins/sylk/mcp.json",
      json({ $schema: agentPlugins("mcp"), mcpServers: { sylk: { type: "stdio", ...server } } }),
    ],
    ["plugins/sylk/hooks/hooks.json", json({ description, hooks: sharedHooks() })],
    ...launcherFiles("plugins/sylk/hooks"),
    ...codexFiles({ ...plugin, author: owner }, server),
    [
      "plugins/gemini/gemini-extension.json",
      json({ name: "sylk", version, description, mcpServers: { sylk: server } }),
    ],
    ["plugins/gemini/hooks/hooks.json", json({ hooks: geminiHooks() })],
    ...launcherFiles("plugins/gemini/hooks"),
    ["plugins/opencode/sylk.js", opencodePlugin(undefined)],
  ];
}

export function integrationSchema(): string {
  return json(z.toJSONSchema(Integration, { io: "input" }));
}

function describe(summary: string): string {
  const { integrated_features: features } = Integration.parse(readJson("plugins/sylk/.claude-plugin/integration.json"));
  return `${summary} ${features.map(({ feature }) => feature).join("; ")}.`;
}

function agentPlugins(schema: "plugin" | "mcp"): string {
  return `https://agent-plugins.org/schemas/1.0.0/${schema}.schema.json`;
}

/**
 * A folder of its own, named by the marketplace file that only Codex reads: from a folder with an Agent Plugins manifest Codex
 * takes no hooks, whatever that manifest says, and its sessions would be unguarded without a word.
 */
function codexFiles(plugin: Record<string, unknown>, server: object): readonly (readonly [string, string])[] {
  const { name } = plugin;
  const source = { source: "local", path: "./codex" };
  const policy = { installation: "AVAILABLE", authentication: "ON_INSTALL" };
  const hooks = hooksOf(codex.entries, 1, (event) => `${launch("${PLUGIN_ROOT}")} codex ${event}`);
  return [
    [
      "plugins/sylk/.agents/plugins/marketplace.json",
      json({ name, plugins: [{ name, source, policy, category: "Coding" }] }),
    ],
    ["plugins/sylk/codex/.codex-plugin/plugin.json", json(plugin)],
    ["plugins/sylk/codex/.mcp.json", json({ mcpServers: { sylk: server } })],
    ["plugins/sylk/codex/hooks/hooks.json", json({ hooks })],
    [`plugins/sylk/codex/${skill}`, readFileSync(join(root, "plugins/sylk", skill), "utf8")],
    ...launcherFiles("plugins/sylk/codex/hooks"),
  ];
}

/** Claude Code and Codex read the same file; only Codex sets PLUGIN_ROOT without the name of the other before it. */
function sharedHooks(): object {
  const events = new Set([...claudeCode.entries, ...codex.entries].map(({ event }) => event));
  const which = 'c=claude-code; [ -z "${PLUGIN_ROOT-}" ] || c=codex';
  const entries = [...events].map((event) => merged([claudeCode, codex], event));
  return hooksOf(entries, 1, (event) => `${which}; ${launch("${CLAUDE_PLUGIN_ROOT}")} "$c" ${event}`);
}

function geminiHooks(): object {
  return hooksOf(gemini.entries, 1000, (event) => `${launch("${extensionPath}")} gemini ${event}`);
}

/** A missing script must not be an error: some shells end with 2 then, which reads as a denial. */
function launch(folder: string): string {
  return `h="${folder}/hooks/${launcherName}"; [ ! -r "$h" ] || sh "$h"`;
}

/** What either of them listens to, for as long as the more patient one waits. */
function merged(clients: readonly InstallableClientV1[], event: string): HookEntry {
  const found = clients.flatMap(({ entries }) => entries.filter((entry) => entry.event === event));
  const matchers = new Set(found.flatMap(({ matcher }) => matcher?.split("|") ?? []));
  const timeoutSeconds = Math.max(...found.map((entry) => entry.timeoutSeconds));
  return { event, timeoutSeconds, ...(matchers.size === 0 ? {} : { matcher: [...matchers].join("|") }) };
}

function hooksOf(entries: readonly HookEntry[], perSecond: number, commandFor: (event: string) => string): object {
  const group = ({ event, matcher, timeoutSeconds }: HookEntry) => {
    const handler = { type: "command", command: commandFor(event), timeout: timeoutSeconds * perSecond };
    return { ...(matcher === undefined ? {} : { matcher }), hooks: [handler] };
  };
  // An event may have several entries.
  const byEvent = Map.groupBy(entries, ({ event }) => event);
  return Object.fromEntries([...byEvent].map(([event, found]) => [event, found.map(group)]));
}

function launcherFiles(folder: string): readonly (readonly [string, string])[] {
  return [
    [`${folder}/${launcherName}`, publishedLauncher()],
    [`${folder}/${exchangeName}`, exchangeScript()],
  ];
}

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(join(root, path), "utf8"));
}

function json(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}
