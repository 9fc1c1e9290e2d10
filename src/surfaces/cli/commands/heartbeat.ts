/** The heartbeat for hooks: they may call it as often as they like, the daemon hears one a minute. */
import { join } from "node:path";
import { AgentId } from "../../../contract/calling.ts";
import { systemClock } from "../../../platform/clock/index.ts";
import { atMostEvery } from "../at-most-every.ts";
import type { WrittenCommand } from "../command.ts";
import { resolveId } from "../resolve-id.ts";

const everyMs = 60_000;

export const heartbeat: WrittenCommand = {
  summary: "Report that an agent is alive, at most once a minute; for hooks",
  example: "sylk heartbeat agt_01jd8q3m7k4x9t2v5b8n1c",
  arguments: [{ name: "id", describe: "Agent id", required: true }],
  async run({ args: [text], paths, connect, json, out }) {
    const given = AgentId.safeParse(text); // it becomes the name of a file
    const id = given.success
      ? given.data
      : AgentId.parse(await resolveId(String(text), ["agt"], "<id>", await connect()));
    const file = join(paths.home, "heartbeats", id);
    const sent = await atMostEvery(everyMs, file, systemClock(), async () =>
      (await connect()).call("agent.heartbeat", { id }),
    );
    if (json) out.json({ sent: sent !== undefined });
    else if (sent !== undefined) out.line(`${sent.agent.name} is ${sent.agent.status}`);
  },
};
