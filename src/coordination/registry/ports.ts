/** The ports of the registry. */
import type { AgentId, ClientName, Homecoming, InputOf } from "../../contract/index.ts";
import type { Clock } from "../../platform/clock/index.ts";
import type { IdSource } from "../../platform/ids/index.ts";
import type { Store } from "../../platform/store/index.ts";
import type { Liveness } from "./liveness.ts";
import type { RegistryRepositories } from "./store.ts";

export type RegistryPorts = {
  readonly store: Store<RegistryRepositories>;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly liveness: Liveness;
  /** Name of this machine. */
  readonly host: string;
  /** Start time of a process of this host; undefined when none with that pid runs, or none that can be seen. */
  readonly startTimeOf: (pid: number) => Promise<string | undefined>;
  /** The key that the address of MCP over HTTP may carry; undefined where there is no such address. */
  readonly mcpKey?: () => string | undefined;
  /** The process that started this one, where this one is a tool server of ours (`sylk mcp`); absent in a simulation. */
  readonly clientOfToolServer?: ((pid: number) => Promise<number | undefined>) | undefined;
  /** What the client's installed plugins declare, besides what it declares itself. */
  readonly declaredByPlugins?: (client: ClientName) => Promise<readonly string[]>;
  /** Ends an agent's being offline, with what is still free of what it held; undefined when it was not (any more). */
  readonly bringBack: (agent: AgentId) => Promise<Homecoming | undefined>;
};

export type Wanted = Omit<InputOf<"agent.register">, "project"> & { readonly project: { readonly path: string } };
