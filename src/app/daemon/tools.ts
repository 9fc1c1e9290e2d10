/** Connects tool discovery: one cache for all sessions of the daemon. */
import { createToolDiscovery, createToolRegistry, scanFolder, toolHandlers } from "../../knowledge/toolchains/index.ts";
import type { DaemonTerms } from "./parts.ts";

export function composeTools({ clock, env, settings }: DaemonTerms) {
  const registry = createToolRegistry();
  const discovery = createToolDiscovery({
    registry,
    clock,
    scan: (path) => scanFolder(path, { registry, env }),
    cacheMs: () => settings["tools.cacheMinutes"] * 60_000,
  });
  return {
    discovery,
    handlers: toolHandlers({
      discovery,
      sessionOf: async (caller) => (caller.kind === "agent" ? caller.agent.id : "user"),
    }),
  };
}
