/** The real command lines of Codex, Gemini CLI and opencode, driven headless against our scripted model server. */
import { chmodSync, cpSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ScriptedServer } from "../../src/adapters/models/rehearsal/scripted-server.ts";
import { mainScript, repositoryRoot, startProcess, type SylkProcess } from "../flows/run-sylk.ts";
import type { ScratchDaemon } from "../flows/scratch-daemon.ts";
import { within } from "../flows/until.ts";
import { clientsFolder, pinnedClients } from "./pinned-clients.ts";
import { trustCodexHooks } from "./trust-codex-hooks.ts";

export type RealClient = {
  readonly name: "codex" | "gemini" | "opencode";
  /** What the model calls to run a shell command, and to write a file; with their inputs. */
  shell(command: string): { readonly tool: string; readonly input: Record<string, string> };
  write(file: string, content: string): { readonly tool: string; readonly input: Record<string, string> };
  /** What claims a work item over MCP. */
  readonly claimTool: string;
  /** Settings that name the scripted server, before ours are installed. */
  configure(world: World): void;
  /** Loads what we publish for it, by its own means. */
  loadPlugin(world: World): Promise<void>;
  /** What its user must do once the hooks are there. */
  trust?(world: World): Promise<void>;
  /** Program, arguments and variables of one headless session. */
  command(world: World, prompt: string): { readonly args: readonly string[]; readonly env: Record<string, string> };
};
export type World = { readonly daemon: ScratchDaemon; readonly server: ScriptedServer };

const bin = (name: string): string => join(clientsFolder, "node_modules", ".bin", name);
const published = (name: string): string => join(repositoryRoot, "plugins", name);
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
  async loadPlugin(world) {
    await run(world, [bin("codex"), "plugin", "marketplace", "add", published("sylk")]);
    await run(world, [bin("codex"), "plugin", "add", "sylk@sylk"]);
  },
  async trust(world) {
    const server = startProgram(world, [bin("codex"), "app-server"], {}, "pipe");
    const trusted = await trustCodexHooks(server, world.daemon.repository);
    if (trusted.length === 0) throw new Error("Codex found no hooks of ours");
  },
  command: ({ server }, prompt) => ({
    args: [bin("codex"), "exec", "--json", "--skip-git-repo-check", prompt],
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
  async loadPlugin(world) {
    const env = { GEMINI_CLI_NO_RELAUNCH: "true", GEMINI_CLI_TRUST_WORKSPACE: "true" };
    await run(world, [bin("gemini"), "extensions", "install", published("gemini"), "--consent"], env);
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
  async loadPlugin({ daemon }) {
    const folder = join(daemon.repository, ".opencode", "plugins");
    mkdirSync(folder, { recursive: true });
    cpSync(join(published("opencode"), "sylk.js"), join(folder, "sylk.js"));
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

/** One session from prompt to end. */
export function startClient(client: RealClient, world: World, prompt: string): SylkProcess {
  const { args, env } = client.command(world, prompt);
  return startProgram(world, args, env);
}

async function run(world: World, args: readonly string[], env: Record<string, string> = {}): Promise<void> {
  const { ended } = startProgram(world, args, env);
  const { code, stdout, stderr } = await within(`${args.join(" ")} ends`, ended, { withinMs: 60_000 });
  if (code !== 0) throw new Error(`${args.join(" ")} ended with ${code}: ${stdout}${stderr}`);
}

/** Nothing but loopback can be reached: every proxy is a closed port. */
function startProgram(
  { daemon }: World,
  [program, ...args]: readonly string[],
  env: Record<string, string> = {},
  input: "ignore" | "pipe" = "ignore",
): SylkProcess {
  const closed = "http://127.0.0.1:9";
  const path = `${join(daemon.root, "bin")}:${join(process.execPath, "..")}:${process.env["PATH"]}`;
  return startProcess(program!, args, {
    cwd: daemon.repository,
    input,
    env: {
      ...daemon.env,
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
