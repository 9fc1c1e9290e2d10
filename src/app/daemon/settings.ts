/** Converts settings into the options of features. */
import type { CatchUpRules } from "../../coordination/commits/index.ts";
import type { HistoryLimits } from "../../coordination/file-history/index.ts";
import type { GuardPorts } from "../../coordination/guard/index.ts";
import type { LeaseRules } from "../../coordination/leases/index.ts";
import type { MailSettings } from "../../coordination/mail/index.ts";
import type { ReservationSettings } from "../../coordination/reservations/index.ts";
import type { WorkItemSettings } from "../../coordination/work-items/index.ts";
import { defaultLimits, type IndexLimits } from "../../knowledge/code-index/index.ts";
import type { Settings } from "../../platform/config/index.ts";
import type { DaemonTerms } from "./parts.ts";

export function reservationSettings(settings: Settings): ReservationSettings {
  return { ttlMs: settings["reservations.ttlMs"], maxPerAgent: settings["reservations.maxPerAgent"] };
}

export function workItemSettings(settings: Settings): WorkItemSettings {
  return {
    claimTtlMs: settings["work.claimTtlMs"],
    maxClaimsPerAgent: settings["work.maxClaimsPerAgent"],
    stallAfterMs: settings["work.stallAfterMs"],
  };
}

export function historyLimits(settings: Settings): HistoryLimits {
  return {
    isOn: settings["fileHistory.mode"] === "on",
    keepDays: settings["fileHistory.keepDays"],
    maxBytes: settings["fileHistory.maxBytes"],
    maxFileBytes: settings["fileHistory.maxFileBytes"],
  };
}

export function indexLimits(settings: Settings): IndexLimits {
  return { ...defaultLimits, maxBytes: settings["index.maxBytes"], keepDays: settings["index.keepDays"] };
}

export function mailSettings(settings: Settings): MailSettings {
  return { maxPerMinute: settings["mail.maxPerMinute"], maxPerPairPerMinute: settings["mail.maxPerPairPerMinute"] };
}

export function requestLimits(settings: Settings) {
  return { normal: settings["reservations.askMs"], urgent: settings["reservations.urgentAskMs"] };
}

export function leaseRules(settings: Settings): LeaseRules {
  return {
    maxTtlMs: settings["reservations.maxTtlMs"],
    graceMs: settings["reservations.graceMs"],
    contestedMaxMs: settings["reservations.contestedMaxMs"],
    signsOfLifeRenew: true,
  };
}

export function catchUpRules(settings: Settings): CatchUpRules {
  return {
    refreshEveryMs: settings["commits.refreshEveryMs"],
    syncEveryMs: settings["commits.syncEveryMs"],
    batchEveryMs: settings["commits.batchEveryMs"],
    busyCommitsPerHour: settings["commits.busyPerHour"],
  };
}

export function policyOf({ settingsOfTree }: Pick<DaemonTerms, "settingsOfTree">): GuardPorts["policyFor"] {
  return async (tree) => (await settingsOfTree(tree))["guard.policy"];
}
