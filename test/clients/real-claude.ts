/**
 * Claude Code where the user has it: on the PATH, or named by SYLK_TEST_CLAUDE. It is no dependency of ours; where it is
 * missing its rows are skipped, and counted as such.
 */
import { spawnSync } from "node:child_process";
import type { ScriptedServer } from "../../src/adapters/models/rehearsal/scripted-server.ts";
import { mainScript, startProcess, type SylkProcess } from "../flows/run-sylk.ts";
import type { ScratchDaemon } from "../flows/scratch-daemon.ts";

export const found = (program: string): string =>
  spawnSync("sh", ["-c", 'command -v "$1"', "sh", program], { encoding: "utf8" }).stdout.trim();

/** Empty where there is none. */
export const claude = found(process.env["SYLK_TEST_CLAUDE"] || "claude");
export const noClaude = "claude is neither on the PATH nor named by SYLK_TEST_CLAUDE";

/** Every proxy is a closed port, so nothing but loopback can be reached. */
const closed = "http://127.0.0.1:9";
const loopbackAlone = {
  DISABLE_AUTOUPDATER: "1",
  DISABLE_TELEMETRY: "1",
  DISABLE_ERROR_REPORTING: "1",
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
  HTTP_PROXY: closed,
  HTTPS_PROXY: closed,
  NO_PROXY: "127.0.0.1,localhost",
};

/** One headless session on the scripted model, in the daemon's repository; with "typed" its user types line by line, and it has our MCP server. */
export function startClaude(
  daemon: ScratchDaemon,
  server: ScriptedServer,
  env: Readonly<Record<string, string>> = {},
  prompt: "Go" | "typed" = "Go",
): SylkProcess {
  const ours = { mcpServers: { sylk: { command: process.execPath, args: [mainScript, "mcp"] } } };
  const said = prompt === "Go" ? ["Go"] : ["--input-format", "stream-json", "--mcp-config", JSON.stringify(ours)];
  const output = ["--output-format", "stream-json", "--verbose"];
  return startProcess(claude, ["-p", ...said, "--model", "rehearsal", ...output, "--dangerously-skip-permissions"], {
    cwd: daemon.repository,
    input: prompt === "Go" ? "ignore" : "pipe",
    env: {
      ...daemon.env,
      PATH: process.env["PATH"]!,
      IS_SANDBOX: "1",
      ANTHROPIC_BASE_URL: server.url.replace(/\/v1$/, ""),
      ANTHROPIC_API_KEY: server.apiKey,
      ...loopbackAlone,
      ...env,
    },
  });
}
