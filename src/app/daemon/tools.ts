/** Connects tool discovery and the installer: one registry and one cache for all sessions of the daemon. */
import {
  createToolDiscovery,
  createToolInstaller,
  createToolRegistry,
  scanFolder,
  toolHandlers,
} from "../../knowledge/toolchains/index.ts";
import { commandEnvironment, type CommandRequest, type CommandResult } from "../../orchestration/executors/index.ts";
import type { DaemonTerms } from "./parts.ts";

type RunCommand = (request: Omit<CommandRequest, "onStarted">) => Promise<CommandResult>;

export function composeTools({ clock, env, settings, settingsOfTree, redactor }: DaemonTerms, run: RunCommand) {
  const registry = createToolRegistry();
  const discovery = createToolDiscovery({
    registry,
    clock,
    scan: (path) => scanFolder(path, { registry, env }),
    cacheMs: () => settings["tools.cacheMinutes"] * 60_000,
  });
  const installer = createToolInstaller({
    registry,
    env,
    mode: async (tree) => (await settingsOfTree(tree))["tools.install"],
    command: async (request) => {
      const result = await run({ ...request, env: commandEnvironment({}, env) });
      return { ...result, output: redactor.text(result.output) };
    },
    changed: (path) => discovery.invalidateCache("", path),
  });
  return {
    discovery,
    handlers: toolHandlers({
      discovery,
      installer,
      sessionOf: async (caller) => (caller.kind === "agent" ? caller.agent.id : "user"),
    }),
  };
}
