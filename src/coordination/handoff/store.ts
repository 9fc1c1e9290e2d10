/** The table of handoff records, as a port: one row per agent that went, the latest time only. */
import type { AgentId, Belongings, Handoff, Homecoming } from "../../contract/index.ts";

export type HandoffRecord = {
  readonly agent: AgentId;
  readonly leftAt: number;
  readonly reason: NonNullable<Handoff["reason"]>;
  /** End of the log at that moment. */
  readonly sequence: number;
  readonly belongings: Belongings;
  readonly homecoming: Homecoming | undefined;
};

export type HandoffRepository = {
  /** In place of an earlier one. */
  save(record: HandoffRecord): Promise<void>;
  find(agent: AgentId): Promise<HandoffRecord | undefined>;
  /** Those with processes that outlived their client. */
  withLeftProcesses(): Promise<readonly HandoffRecord[]>;
  setHomecoming(agent: AgentId, homecoming: Homecoming): Promise<void>;
  remove(agents: readonly AgentId[]): Promise<void>;
};
