/**
 * The topics of one session, from its start to its end.
 *
 *   open(session, agents) -> topics exist -> publish, subscribe -> close -> nothing of it is left on the bus
 */
import { invalidInput } from "../../contract/index.ts";
import { type Bus, scopedBus, type ScopedBus } from "../../platform/bus/index.ts";
import { agentTopic, type Channel, channels, sessionPrefix } from "./session-topics.ts";

export interface SessionBus<Message> extends Pick<
  ScopedBus<Message>,
  "subscribe" | "subscribeOutside" | "close" | "isClosed"
> {
  /** Whole subjects, as the bus knows them; none once the session is closed. */
  readonly topics: readonly string[];
  addAgent(agent: string): void;
  publish(agent: string, channel: Channel, message: Message): number;
  publishStatus(message: Message): number;
}

export function openSessionBus<Message>(
  bus: Bus<Message>,
  session: string,
  agents: readonly string[],
): SessionBus<Message> {
  const prefix = sessionPrefix(session);
  const scope = scopedBus(bus, prefix);
  const known = new Set<string>();
  const addAgent = (agent: string): void => {
    for (const channel of channels) agentTopic(agent, channel);
    known.add(agent);
  };
  agents.forEach(addAgent);

  return {
    addAgent,
    publish(agent, channel, message) {
      const subject = agentTopic(agent, channel);
      if (scope.isClosed || known.has(agent)) return scope.publish(subject, message);
      throw invalidInput("agent", `unknown agent ${agent}`, {
        sentence: `${session} has no agent "${agent}"; it has ${[...known].join(", ")}`,
      });
    },
    publishStatus: (message) => scope.publish("status", message),
    subscribe: scope.subscribe,
    subscribeOutside: scope.subscribeOutside,
    close: scope.close,
    get isClosed() {
      return scope.isClosed;
    },
    get topics() {
      if (scope.isClosed) return [];
      const ofAgents = [...known].flatMap((agent) => channels.map((channel) => agentTopic(agent, channel)));
      return [...ofAgents, "status"].map((subject) => `${prefix}.${subject}`);
    },
  };
}
