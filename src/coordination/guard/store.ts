/** The table of tool calls that were not guarded, as a port. */
import type { ProjectId } from "../../contract/index.ts";

/** One row for each program of an agent in a tree. */
export type UnguardedRecord = {
  /** Undefined where no project is known for the folder. */
  readonly project: ProjectId | undefined;
  readonly tree: string;
  /** The agent's id; its session key while it is not registered; empty where it is unknown. */
  readonly agent: string;
  readonly agentName: string;
  readonly program: string;
  /** The last call and why it was not guarded, in a few words. */
  readonly what: string;
  readonly times: number;
  readonly lastAt: number;
  /** Others held files then, and nothing enforced it; or no daemon answered. */
  readonly isAtStake: boolean;
  readonly toldAt: number | undefined;
  /** A commit of the tree went through since. */
  readonly isSettled: boolean;
};

export type UnguardedCallRepository = {
  /** One more call: counted on its row, which is answered. */
  add(call: Omit<UnguardedRecord, "times" | "toldAt" | "isSettled">): Promise<UnguardedRecord>;
  list(): Promise<readonly UnguardedRecord[]>;
  setTold(key: Pick<UnguardedRecord, "tree" | "agent" | "program">, at: number | undefined): Promise<void>;
  settle(tree: string): Promise<void>;
  removeBefore(at: number): Promise<number>;
  removeProject(project: ProjectId): Promise<number>;
};
