/** Connects agents, reservations, work items, mail and findings. `guard.ts` connects the features that use git. */
import { createTerminals } from "../../adapters/processes/index.ts";
import { agentEndHandlers } from "../../coordination/agent-end/index.ts";
import { alsoFixing, findingHandlers, type FindingPorts, remindHolder } from "../../coordination/findings/index.ts";
import { handoffHandlers } from "../../coordination/handoff/index.ts";
import { createRateWindow, mailHandlers, pendingFor } from "../../coordination/mail/index.ts";
import { registryHandlers } from "../../coordination/registry/index.ts";
import { reservationHandlers } from "../../coordination/reservations/index.ts";
import {
  type ChangedFiles,
  createLatestActivity,
  createTreeChanges,
  presenceHandlers,
} from "../../coordination/who/index.ts";
import { workItemHandlers, type WorkItemPorts } from "../../coordination/work-items/index.ts";
import { whyNotEnforced } from "../../oversight/health/index.ts";
import { createNodeTitles, specsOf } from "../../orchestration/runs/index.ts";
import { mergeHandlers } from "../../platform/operations/index.ts";
import type { ComposedConfinement } from "./confinement.ts";
import type { ComposedInstalls } from "./installs.ts";
import type { DaemonParts, DaemonTerms } from "./parts.ts";
import { mailSettings, reservationSettings, workItemSettings } from "./settings.ts";

export function coordinationHandlers(
  parts: DaemonParts,
  terms: DaemonTerms,
  {
    shells,
    installs,
    changedFiles,
  }: Pick<ComposedConfinement, "shells"> & {
    readonly installs: ComposedInstalls["news"];
    readonly changedFiles: (tree: string) => Promise<ChangedFiles>;
  },
) {
  const workItems = workItemPorts(parts, terms);
  const findings: FindingPorts = {
    ...parts,
    workItems,
    // An Engineer registers with its node as session key.
    sessionKeysOfRun: async (run) => (await specsOf(run, parts.store.reader.dags)).map(([id]) => id),
  };
  return mergeHandlers(
    registryHandlers({
      ...parts,
      remindHolder: (agent) => remindHolder(agent, findings),
      pendingFor: ({ id, project }) => pendingFor(id, project.id, parts),
    }),
    presenceHandlers({
      ...parts,
      shellOf: shells.of,
      guardOf: installs.guardOf,
      notInstalled: installs.inTree,
      whyNotEnforced: () => whyNotEnforced(parts.store),
      terminalsOf: createTerminals(),
      titleOfNode: createNodeTitles(parts.store.reader.dags),
      activity: createLatestActivity({ bus: parts.bus, events: parts.store.reader.events }),
      changes: createTreeChanges({ read: changedFiles, clock: parts.clock }),
    }),
    agentEndHandlers(parts),
    handoffHandlers(parts),
    reservationHandlers({ ...reservationPorts(parts, terms), noteProgress: parts.progress.worked }),
    workItemHandlers({ ...workItems, whenClosing: (item, call) => alsoFixing(item, call, findings) }),
    mailHandlers({
      ...parts,
      rates: createRateWindow(parts.clock),
      settingsFor: async (tree) => mailSettings(await terms.settingsOfTree(tree)),
    }),
    findingHandlers(findings),
  );
}

export function reservationPorts(parts: DaemonParts, { settingsOfTree }: DaemonTerms) {
  return { ...parts, settingsFor: async (tree: string) => reservationSettings(await settingsOfTree(tree)) };
}

export function workItemPorts(
  parts: DaemonParts,
  { settings, settingsOfTree }: DaemonTerms,
): WorkItemPorts & DaemonParts {
  return {
    ...parts,
    answerWithinMs: settings["work.answerWithinMs"],
    settingsFor: async (tree) => workItemSettings(await settingsOfTree(tree)),
  };
}
