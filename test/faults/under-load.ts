/** Agents at work while something happens to their daemon: what they were told is compared with what is there afterwards. */
import { readFileSync } from "node:fs";
import type { LogEvent } from "../../src/contract/index.ts";
import { systemClock } from "../../src/platform/clock/index.ts";
import { createClient, socketTransport, type SylkClient } from "../../src/surfaces/client/index.ts";
import { checkHistory, type Problem } from "../crash/check-history.ts";
import type { Call } from "../crash/kill-history.ts";
import { runLoadClient, type LoadTerms } from "../crash/load-client.ts";
import { seededRandom } from "../crash/random.ts";
import { lookThrough } from "../crash/run-kills.ts";
import type { ScratchHome } from "../flows/scratch-home.ts";
import { until } from "../flows/until.ts";

export type Load = {
  answered(): number;
  /** Resolves after so many more answers. */
  answers(count: number): Promise<void>;
  /** Ends the load and says what was lost, doubled or left half. */
  verdict(): Promise<readonly Problem[]>;
};

export function userOf({ paths, repository }: ScratchHome, token?: string): SylkClient {
  const transport = socketTransport(paths.socket);
  if (token !== undefined) return createClient({ transport, token });
  return createClient({ transport, token: readFileSync(paths.token, "utf8").trim(), project: repository });
}

export async function startLoad(home: ScratchHome, clients: number): Promise<Load> {
  const clock = systemClock();
  const user = userOf(home);
  const calls: Call[] = [];
  const items: LoadTerms["items"] = [];
  const running: Promise<void>[] = [];
  let answered = 0;
  let stopped = false;
  // A call that found nobody is not repeated at once.
  const gate = {
    passed: () => new Promise<void>((resolve) => void clock.after(2, resolve, { keepAlive: true })),
  };
  for (let index = 1; index <= clients; index++) {
    const name = `c${index}`;
    const input = { sessionKey: `test-${name}`, client: "other", project: { path: home.repository }, name } as const;
    const answer = await user.call("agent.register", input);
    const agent = answer.agent.id;
    calls.push({ operation: "agent.register", key: name, agent, input, outcome: { kind: "done", answer } });
    running.push(
      runLoadClient({
        name,
        agent,
        client: userOf(home, answer.token),
        user,
        repository: home.repository,
        random: seededRandom(index),
        gate,
        items,
        record: (call) => void calls.push(call),
        onAnswer: () => void answered++,
        stopped: () => stopped,
      }),
    );
  }
  return {
    answered: () => answered,
    async answers(count) {
      const target = answered + count;
      await until(`${count} more calls are answered`, () => answered >= target);
    },
    async verdict() {
      stopped = true;
      await Promise.all(running);
      const seen: LogEvent[] = [];
      return checkHistory(calls, await lookThrough(user, seen)).problems;
    },
  };
}
