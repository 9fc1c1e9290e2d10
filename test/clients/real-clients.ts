/**
 * The real command lines of Codex, Gemini CLI and opencode, driven headless against our scripted model server. They are
 * hundreds of MB and come from the registry, so they are no dependency of ours: `npm run test:clients` installs these
 * versions beside the caches.
 */
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ScriptedServer } from "../../src/adapters/models/rehearsal/scripted-server.ts";
import { mainScript, repositoryRoot, startProcess, type SylkProcess } from "../flows/run-sylk.ts";
import type { ScratchDaemon } from "../flows/scratch-daemon.ts";

export const pinnedClients = {
  "@google/gemini-cli": "0.61.0",
  "@openai/codex": "0.166.0",
  "@opencode-ai/plugin": "1.18.33",
  "opencode-ai": "1.18.33",
} as const;
/** Only what its maker publishes of its types is used; without it that one test is skipped. */
export const pinnedTypes = { "@anthropic-ai/claude-agent-sdk": "0.3.325" } as const;
export const clientsFolder = join(repositoryRoot, ".cache", "real-clients");

/** Undefined when exactly the pinned versions are there. */
export function whatIsMissing(): string | undefined {
  const missing = Object.entries(pinnedClients).filter(([name, version]) => installedVersion(name) !== version);
  return missing.length === 0
    ? undefined
    : `${missing.map((one) => one.join(" ")).join(" and ")} not installed; "npm run test:clients" does it`;
}

function installedVersion(name: string): string | undefined {
  const file = join(clientsFolder, "node_modules", name, "package.json");
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as { version: string }).version : undefined;
}

export type RealClient = {
  readonly name: "codex" | "gemini" | "opencode";
  /** What the model calls to run a shell command, and to write a file; with their inputs. */
  shell(command: string): { readonly tool: string; readonly input: Record<string, string> };
  write(file: string, content: string): { readonly tool: string; readonly input: Record<string, string> };
  /** What claims a work item over MCP. */
  readonly claimTool: string;
  /** Settings that name the scripted server, before ours are installed. */
  configure(world: World): void;
  /** Program, arguments and variables of one headless session. */
  command(world: World, prompt: string): { readonly args: readonly string[]; readonly env: Record<string, string> };
};
export type World = { readonly daemon: ScratchDaemon; readonly server: ScriptedServer };

const bin = (name: string): string => join(clientsFolder, "node_modules", ".bin", name);
const homeOf = ({ daemon }: World): string => daemon.env["HOME"]!;

function put(file: string, text: string): void {
  mkdirSync(join(file, ".."), { recursive: true });
  writeFileSync(file, text);
}

export const codex: RealClient = {
  name: "codex",
  claimTool: "mcp__sylk__work_item_claim",
  shell: (command) => ({ tool: "exec_command", input: { cmd: command } }),
  write: (file, content) => ({
    tool: "exec_command",
    input: { cmd: `apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: ${file}\n+${content}\n*** End Patch\nEOF\n` },
  }),
  configure(world) {
    const { repository } = world.daemon;
    put(
      join(homeOf(world), ".codex", "config.toml"),
      `model = "rehearsal"
model_provider = "lab"
approval_policy = "never"
sandbox_mode = "danger-full-access"
check_for_update_on_startup = false
[analytics]
enabled = false
[feedback]
enabled = false
[features]
daemon_auto_start = false
[model_providers.lab]
name = "lab"
base_url = "${world.server.url}"
env_key = "LAB_KEY"
wire_api = "responses"
request_max_retries = 0
[projects."${repository}"]
trust_level = "trusted"
`,
    );
  },
  command: ({ server }, prompt) => ({
    args: [bin("codex"), "exec", "--json", "--skip-git-repo-check", "--dangerously-bypass-hook-trust", prompt],
    env: { LAB_KEY: server.apiKey },
  }),
};

export const gemini: RealClient = {
  name: "gemini",
  claimTool: "mcp_sylk_work_item_claim",
  shell: (command) => ({ tool: "run_shell_command", input: { command } }),
  write: (file, content) => ({ tool: "write_file", input: { file_path: file, content } }),
  configure(world) {
    const settings = {
      security: { auth: { selectedType: "gemini-api-key" } },
      privacy: { usageStatisticsEnabled: false },
      telemetry: { enabled: false },
      hooksConfig: { enabled: true },
      general: { disableAutoUpdate: true },
    };
    put(join(homeOf(world), ".gemini", "settings.json"), JSON.stringify(settings));
  },
  command: ({ server }, prompt) => ({
    args: [bin("gemini"), "-p", prompt, "--output-format", "stream-json", "--approval-mode", "yolo", "-m", "rehearsal"],
    env: {
      GEMINI_API_KEY: server.apiKey,
      GOOGLE_GEMINI_BASE_URL: server.url.replace(/\/v1$/, ""),
      GEMINI_CLI_NO_RELAUNCH: "true",
      GEMINI_CLI_TRUST_WORKSPACE: "true",
    },
  }),
};

export const opencode: RealClient = {
  name: "opencode",
  claimTool: "sylk_work_item_claim",
  shell: (command) => ({ tool: "bash", input: { command, description: "scripted" } }),
  write: (file, content) => ({ tool: "write", input: { filePath: file, content } }),
  configure(world) {
    const config = join(homeOf(world), ".config", "opencode");
    const provider = {
      npm: "@ai-sdk/openai-compatible",
      name: "lab",
      options: { baseURL: world.server.url, apiKey: world.server.apiKey },
      models: { rehearsal: { name: "rehearsal" } },
    };
    put(join(config, "opencode.json"), JSON.stringify({ provider: { lab: provider } }));
    // Else opencode asks the registry for this package, wherever it finds a plugin.
    for (const folder of [config, join(world.daemon.repository, ".opencode")]) {
      mkdirSync(folder, { recursive: true });
      const dependencies = { "@opencode-ai/plugin": pinnedClients["@opencode-ai/plugin"] };
      put(join(folder, "package.json"), JSON.stringify({ dependencies }));
      put(
        join(folder, "package-lock.json"),
        JSON.stringify({ lockfileVersion: 3, packages: { "": { dependencies } } }),
      );
      cpSync(join(clientsFolder, "node_modules", "@opencode-ai"), join(folder, "node_modules", "@opencode-ai"), {
        recursive: true,
      });
    }
  },
  command: (_world, prompt) => ({
    args: [bin("opencode"), "run", "--format", "json", "-m", "lab/rehearsal", prompt],
    env: {
      OPENCODE_DISABLE_AUTOUPDATE: "1",
      OPENCODE_DISABLE_MODELS_FETCH: "1",
      OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
      OPENCODE_DISABLE_DEFAULT_PLUGINS: "1",
    },
  }),
};

/** `sylk` on the PATH, as an installation would have it: clients start our MCP server by that name. */
export function linkSylk({ daemon }: World): string {
  const folder = join(daemon.root, "bin");
  put(join(folder, "sylk"), `#!/bin/sh\nexec "${process.execPath}" "${mainScript}" "$@"\n`);
  chmodSync(join(folder, "sylk"), 0o755);
  return folder;
}

/** One session from prompt to end. Nothing but loopback can be reached: every proxy is a closed port. */
export function startClient(client: RealClient, world: World, prompt: string): SylkProcess {
  const { args, env } = client.command(world, prompt);
  const closed = "http://127.0.0.1:9";
  const path = `${join(world.daemon.root, "bin")}:${join(process.execPath, "..")}:${process.env["PATH"]}`;
  const [program, ...rest] = args;
  return startProcess(program!, rest, {
    cwd: world.daemon.repository,
    env: {
      ...world.daemon.env,
      ...env,
      PATH: path,
      HTTP_PROXY: closed,
      HTTPS_PROXY: closed,
      http_proxy: closed,
      https_proxy: closed,
      NO_PROXY: "127.0.0.1,localhost",
      no_proxy: "127.0.0.1,localhost",
    },
  });
}
