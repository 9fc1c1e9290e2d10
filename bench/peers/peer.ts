/** What every side of the comparison can do; each racer opens one in a process of its own. */
export type Peer = {
  /** True when it was granted alone. */
  reserve(path: string): Promise<boolean>;
  send(to: string, subject: string): Promise<void>;
  inbox(): Promise<void>;
  close(): Promise<void>;
};
export type Side = "sylk" | "naive" | "swarm-mail";
/** Where a side keeps its things: made by the bench, the same for all its processes. */
export type PeerPlace = {
  readonly folder: string;
  readonly racer: number;
  /** Sylk's: one token per racer. */
  readonly socket?: string;
  readonly token?: string;
};

export const nameOf = (racer: number): string => `agent-${racer}`;
