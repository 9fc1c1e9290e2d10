/** One call with --json for every command of the table, each in a situation where it succeeds. */
import type { SylkRun } from "./run-sylk.ts";
import { openScratchDaemon, type ScratchAgent, type ScratchDaemon } from "./scratch-daemon.ts";
import { openScratchHome } from "./scratch-home.ts";
import { until } from "./until.ts";

export type Situation = { readonly daemon: ScratchDaemon; readonly heron: ScratchAgent };
type Outcome = SylkRun & { readonly form?: "one value" | "lines" };
type JsonRun = (situation: Situation) => Promise<Outcome>;

let number = 0;

export const jsonRuns: Readonly<Record<string, JsonRun>> = {
  up: plain("up"),
  status: plain("status"),
  doctor: plain("doctor"),
  "config show": plain("config show"),
  who: plain("who"),
  ready: plain("ready"),
  events: plain("events"),
  reservations: plain("reservations"),
  "work list": plain("work list"),
  logs: async ({ daemon }) => ({ ...(await daemon.sylk(["logs", "--json"])), form: "lines" }),
  down: async () => {
    await using daemon = await openScratchDaemon();
    return daemon.sylk(["down", "--json"]);
  },
  serve: async () => {
    await using home = openScratchHome();
    const serving = home.start(["serve", "--http-port", "0", "--json"]);
    await until("it has said where", () => serving.output().endsWith("}\n"));
    process.kill(serving.pid, "SIGTERM");
    return serving.ended;
  },
  demo: async () => {
    await using home = openScratchHome();
    return home.sylk(["demo", "--json"]);
  },
  mcp: async ({ daemon }) => daemon.sylk(["mcp", "--help"]).then((run) => ({ ...run, stdout: "{}" })),
  completion: async ({ daemon }) => daemon.sylk(["completion", "bash", "--json"]),
  "agent register": async ({ daemon }) =>
    daemon.sylk(["agent", "register", "--session-key", `json-${++number}`, "--client", "other", "--json"]),
  "agent show": async ({ daemon, heron }) => daemon.sylk(["agent", "show", heron.agent.id, "--json"]),
  "agent heartbeat": async ({ daemon, heron }) => daemon.sylk(["agent", "heartbeat", heron.agent.id, "--json"]),
  "agent end": async ({ daemon }) => {
    const { agent } = await daemon.register(`json-${++number}`);
    return daemon.sylk(["agent", "end", agent.id, "--json"]);
  },
  reserve: async ({ daemon }) => daemon.sylk(["reserve", `json/${++number}.ts`, "--json"]),
  renew: onReservation("renew"),
  free: onReservation("free"),
  "work add": async ({ daemon }) => daemon.sylk(["work", "add", "From the command line", "--json"]),
  "work show": onItem("work show"),
  claim: onItem("claim"),
  unclaim: onItem("unclaim", { claimed: true }),
  release: onItem("release", { claimed: true }),
  close: onItem("close"),
};

function plain(words: string): JsonRun {
  return ({ daemon }) => daemon.sylk([...words.split(" "), "--json"]);
}

function onReservation(command: string): JsonRun {
  return async ({ daemon, heron }) => {
    const { reservation } = await heron.client.call("reservation.acquire", { paths: [`json/${++number}.ts`] });
    return daemon.sylk([command, reservation.id, "--json"], { env: { SYLK_TOKEN: heron.token } });
  };
}

function onItem(words: string, { claimed = false } = {}): JsonRun {
  return async ({ daemon }) => {
    const { client, token } = await daemon.register(`json-${++number}`);
    const { workItem } = await client.call("work-item.create", { title: "For the command line" });
    if (claimed) await client.call("work-item.claim", { id: workItem.id });
    return daemon.sylk([...words.split(" "), workItem.id, "--json"], { env: { SYLK_TOKEN: token } });
  };
}
