/** The ports of the health folder. */
import type { ProjectId } from "../../contract/index.ts";
import type { Clock } from "../../platform/clock/index.ts";
import type { EventRepository } from "../../platform/event-log/index.ts";
import type { IdSource } from "../../platform/ids/index.ts";
import type { Store } from "../../platform/store/index.ts";
import type { HealthRepository } from "./store.ts";

export type HealthRepositories = { readonly health: HealthRepository; readonly events: EventRepository };

export type HealthPorts = {
  readonly store: Store<HealthRepositories>;
  readonly clock: Clock;
  readonly ids: IdSource;
  /** Takes secrets out of what components say. */
  readonly clean: (text: string) => string;
  /** Where an incident that belongs to no project is told: in every project with a live agent. */
  readonly liveProjects: () => Promise<readonly ProjectId[]>;
  /** A flush that failed is tried again; nothing is lost meanwhile but by a crash. */
  readonly onFailed: (error: unknown) => void;
};
