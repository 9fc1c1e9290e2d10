/** The ports of the mail folder. */
import type { Clock } from "../../platform/clock/index.ts";
import type { EventRepository } from "../../platform/event-log/index.ts";
import type { IdSource } from "../../platform/ids/index.ts";
import type { Store, Transaction } from "../../platform/store/index.ts";
import type { AgentRepository, ProjectRepository } from "../registry/index.ts";
import type { RateWindow } from "./rate-window.ts";
import type { MailRepository } from "./store.ts";

export type MailRepositories = {
  readonly mail: MailRepository;
  readonly agents: AgentRepository;
  readonly projects: ProjectRepository;
  readonly events: EventRepository;
};
export type MailTx = MailRepositories & Transaction;

export type MailSettings = {
  readonly maxPerMinute: number;
  readonly maxPerPairPerMinute: number;
};

export type MailPorts = {
  readonly store: Store<MailRepositories>;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly rates: RateWindow;
  /** Settings of the project whose tree this is. */
  readonly settingsFor: (tree: string) => Promise<MailSettings>;
};
