/** A client that no adapter knows: its agents register, are seen, hold files and are counted like any other. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Agent, LedgerReport } from "../../src/contract/index.ts";
import { jsonOf } from "./run-sylk.ts";
import { openScratchDaemon, type ScratchDaemon } from "./scratch-daemon.ts";
import { send } from "./wire.ts";

const client = "nova-editor2";
let daemon: ScratchDaemon;
beforeAll(async () => {
  daemon = await openScratchDaemon();
});
afterAll(() => daemon[Symbol.asyncDispose]());

it("shows its agents in who, status line, events and ledger, whichever way they registered [ADPT-1]", async () => {
  const heron = await daemon.register("heron", { client });
  const words = ["agent", "register", "--session-key", "nova-2", "--client", client, "--name", "otter", "--json"];
  const otter = jsonOf<{ agent: Agent; token: string }>(await daemon.sylk(words));
  expect([heron.agent.client, otter.agent.client]).toEqual([client, client]);

  await heron.client.call("reservation.acquire", { paths: ["src/api.ts"], mode: "exclusive" });
  const refused = await daemon.sylk(["reserve", "src/api.ts", "--as", "otter"]);
  expect(refused).toMatchObject({ code: 4, stderr: expect.stringContaining(`heron (${client}, active`) });

  const { stdout: who } = await daemon.sylk(["who"]);
  expect(who).toMatch(/heron\s+nova-editor2\s+active/);
  expect(who).toMatch(/otter\s+nova-editor2\s+active/);
  const { stdout: line } = await daemon.sylk(["statusline"]);
  expect(line).toContain("heron: src/api.ts");
  const { items } = await daemon.user.call("event.list", { limit: 100 });
  const registered = items.filter(({ type }) => type === "agent.registered");
  expect(registered.map(({ data }) => data)).toMatchObject([{ agent: { client } }, { agent: { client } }]);

  const worker = daemon.clientOf({ token: otter.token });
  const { workItem } = await worker.call("work-item.create", { title: "rate limits" });
  await worker.call("work-item.claim", { id: workItem.id });
  const transcript = join(daemon.env.HOME!, ".claude", "projects", "-shop", "nova-2.jsonl");
  mkdirSync(dirname(transcript), { recursive: true });
  const message = { id: "m", model: "m", usage: { input_tokens: 1, output_tokens: 7 } };
  const row = { type: "assistant", sessionId: "nova-2", timestamp: "2099-01-01T00:00:00Z", message };
  writeFileSync(transcript, `${JSON.stringify(row)}\n`);
  const cost = jsonOf<LedgerReport>(await daemon.sylk(["cost", "--by", "work-item", "--json"]));
  expect(cost.items).toMatchObject([{ name: workItem.id, calls: 1, output: 7 }]);
});

it.each(["", "Nova", "nova editor", "2nova", "a".repeat(41)])(
  "refuses the client %j with its rule [ADPT-1]",
  async (wrong) => {
    const agent = { sessionKey: "k", client: wrong, project: { path: daemon.repository } };
    await expect(daemon.user.call("agent.register", agent)).rejects.toMatchObject({
      code: "input.invalid",
      message: expect.stringContaining("lower-case letters, digits and dashes, 40 at the most"),
    });
  },
);

it("answers a hook of a client without an adapter with the known ones and the nearest name [ADPT-1]", async () => {
  const hook = { method: "POST", path: "/v1/hooks/codx/SessionStart", body: "{}" };
  const answer = await send({ socketPath: daemon.paths.socket }, hook);
  expect(answer.status).toBe(404);
  expect(JSON.parse(answer.body)).toMatchObject({
    error: {
      code: "operation.unknown",
      message:
        'No adapter reads hooks of "codx". Known: claude-code, codex, opencode, gemini, git, shell; did you mean codex?',
    },
  });
});
