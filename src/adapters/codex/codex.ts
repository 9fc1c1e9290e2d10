/**
 * Codex behind the client interface: hooks in `hooks.json` beside its `config.toml`, our MCP server in that.
 *
 * Codex runs a hook only after its user trusted it, by a hash over event, matcher, command and timeout: whatever is changed
 * here silences the hook on every machine until it is trusted again. So what is new is an entry of its own, the last of its event.
 */
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { InstallableClientV1, InstallPlaces } from "../../contract/index.ts";
import { readEvent } from "./read-event.ts";

/** Codex hands a server none of its own variables. */
function mcpServer(home: string | undefined): string {
  const env = home === undefined ? "" : `env = { SYLK_HOME = ${JSON.stringify(home)} }\n`;
  return `[mcp_servers.sylk]\ncommand = "sylk"\nargs = ["mcp"]\n${env}`;
}

const entries: InstallableClientV1["entries"] = [
  { event: "SessionStart", timeoutSeconds: 10 },
  { event: "PreToolUse", matcher: "Bash|apply_patch", timeoutSeconds: 5 },
  { event: "PreToolUse", matcher: "mcp__.*", timeoutSeconds: 5 },
  { event: "SubagentStart", timeoutSeconds: 5 },
  { event: "SubagentStop", timeoutSeconds: 5 },
  { event: "Stop", timeoutSeconds: 5 },
  { event: "SessionEnd", timeoutSeconds: 3 },
];

export const codex: InstallableClientV1 = {
  version: 1,
  name: "codex",
  readEvent,
  tell: (event, text) =>
    event === "Stop"
      ? JSON.stringify({ decision: "block", reason: text })
      : JSON.stringify({ hookSpecificOutput: { hookEventName: event, additionalContext: text } }),
  entries,
  settingsFile: (scope, places) =>
    join(scope === "user" ? codexHome(places) : join(places.tree, ".codex"), "hooks.json"),
  furtherParts: (settings) => [
    {
      file: join(dirname(settings), "config.toml"),
      part: { kind: "block", what: "our MCP server", text: mcpServer, unless: hasServer },
    },
  ],
  trustFile,
  obstacles(settings, places) {
    const config = textOf(trustFile(places));
    const events = [...new Set(entries.map(({ event }) => event))];
    const untrusted = events.filter((event) => {
      const trusted = config.split(`${settings}:${snakeCase(event)}:`).length - 1;
      return trusted < entries.filter((entry) => entry.event === event).length;
    });
    if (untrusted.length === 0) return [];
    const names = untrusted.join(", ");
    return [`Codex does not run untrusted hooks (${names} in ${settings}): start codex, type /hooks and trust them`];
  },
};

/** Written by the user, or in a form that a table may not follow. */
function hasServer(text: string): boolean {
  return /^\s*\[\s*mcp_servers\s*\.\s*["']?sylk["']?\s*[\].]|^\s*mcp_servers\s*[.=]/m.test(text);
}

function trustFile(places: InstallPlaces): string {
  return join(codexHome(places), "config.toml");
}

function codexHome({ env, userHome }: InstallPlaces): string {
  return env.CODEX_HOME || join(userHome, ".codex");
}

function snakeCase(event: string): string {
  return event.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => `_${letter}`).toLowerCase();
}

function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return ""; // nothing is trusted yet
  }
}
