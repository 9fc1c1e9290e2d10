/** Connects the tree watch with git, settings and health. */
import { createBranchHistory, createGit } from "../../adapters/git/index.ts";
import { hasGate } from "../../adapters/installation/index.ts";
import { createBranchWatcher, createTreeWatcher } from "../../adapters/tree-watcher/index.ts";
import { watchGate } from "../../coordination/gate-watch/index.ts";
import type { GatePasses, ToolCalls } from "../../coordination/guard/index.ts";
import { type ChangeKeeper, watchTrees } from "../../coordination/tree-watch/index.ts";
import { failureOf, outcomeOf } from "../../oversight/health/index.ts";
import type { DaemonParts, DaemonTerms } from "./parts.ts";

const component = "tree watch";
const gateComponent = "gate watch";

export function composeWatch(
  parts: DaemonParts & { readonly calls: ToolCalls; readonly kept: ChangeKeeper | undefined },
  { clock, env, log, settingsOfTree }: DaemonTerms,
  onWritten: () => void,
): { stop(): void } {
  const { health } = parts;
  const git = createGit(clock, env);
  return watchTrees({
    ...parts,
    openWatcher: (told) =>
      createTreeWatcher(
        { clock, git },
        {
          ...told,
          onChange(tree, path) {
            told.onChange(tree, path);
            onWritten();
          },
        },
      ),
    isOn: async (tree) => (await settingsOfTree(tree))["guard.watch"] === "on",
    onWatched: (troubles) => health.report(outcomeOf(component, troubles)),
    onFailed(error) {
      health.report(failureOf(component, error));
      log.warn("tree-watch.failed", { error });
    },
  });
}

/** Connects the gate watch likewise. */
export function composeGateWatch(
  parts: DaemonParts & { readonly calls: ToolCalls; readonly passes: GatePasses },
  { clock, env, log, settingsOfTree }: DaemonTerms,
): { stop(): void } {
  const { health } = parts;
  const git = createGit(clock, env);
  return watchGate({
    ...parts,
    branches: createBranchHistory(git, hasGate),
    openWatcher: (onMoved) => createBranchWatcher({ git }, onMoved),
    isOn: async (tree) => (await settingsOfTree(tree))["guard.watch"] === "on",
    onWatched: (troubles) => health.report(outcomeOf(gateComponent, troubles)),
    onFailed(error) {
      health.report(failureOf(gateComponent, error));
      log.warn("gate-watch.failed", { error });
    },
  });
}
