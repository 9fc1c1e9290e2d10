/** Connects tool discovery and the installer: one registry and one cache for all sessions of the daemon. */
import {
  createInstallRequests,
  createToolDiscovery,
  createToolInstaller,
  choicesIn,
  registryOfHome,
  type FoundTool,
  scanTools,
  scanWithResearch,
  toolHandlers,
} from "../../knowledge/toolchains/index.ts";
import type { ToolScanRequest } from "../../contract/index.ts";
import type { toolQuestions } from "../../orchestration/ask/index.ts";
import { commandEnvironment, type CommandRequest, type CommandResult } from "../../orchestration/executors/index.ts";
import type { DaemonParts, DaemonTerms } from "./parts.ts";

type RunCommand = (request: Omit<CommandRequest, "onStarted">) => Promise<CommandResult>;

type Runtime = { readonly runCheck: RunCommand; readonly toolQuestions: ReturnType<typeof toolQuestions> };

export function composeTools(
  { ids }: Pick<DaemonParts, "ids">,
  { clock, env, paths, settings, settingsOfTree, redactor }: DaemonTerms,
  runtime: () => Runtime,
) {
  const registry = registryOfHome(paths.home);
  const discovery = createToolDiscovery({
    registry,
    clock,
    scan: (request, terms) => runtime().toolQuestions.scan(request, terms),
    research: (request, terms) => runtime().toolQuestions.research(request, terms),
    choices: async (session, path) =>
      choicesIn(path, {
        session: await runtime().toolQuestions.preferencesOf(session, path),
        user: settings["tools.prefer"],
      }),
    cacheMs: () => settings["tools.cacheMinutes"] * 60_000,
  });
  const installer = createToolInstaller({
    registry,
    env,
    mode: async (tree) => (await settingsOfTree(tree))["tools.install"],
    command: async (request) => {
      const result = await runtime().runCheck({ ...request, env: commandEnvironment({}, env) });
      return { ...result, output: redactor.text(result.output) };
    },
    changed: (path) => discovery.invalidateCache("", path),
  });
  const requests = createInstallRequests({ installer, clock, ids });
  const toolNames = (language: string, category: Parameters<typeof registry.toolsFor>[1]) =>
    registry.toolsFor(language, category).map(({ name }) => name);
  return {
    discovery,
    requests,
    /** Of the table, for research. */
    toolNames,
    /** What the Academic answers: the scan, with the tools that its sources recommend. */
    withResearch: (request: ToolScanRequest, found: readonly FoundTool[]) =>
      scanWithResearch(request, found, { registry, env }),
    /** What the Librarian does for a question. */
    scanTools: (request: Parameters<typeof scanTools>[0]) => scanTools(request, { registry, env }),
    handlers: toolHandlers({
      discovery,
      installer,
      requests,
      sessionOf: (caller, wanted) => runtime().toolQuestions.sessionOf(caller, wanted),
    }),
  };
}
