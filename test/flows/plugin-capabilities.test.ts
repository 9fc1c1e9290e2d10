/** What a client's plugins declare joins its agent and the Guide when its session starts. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { sampleScenario } from "./rehearsed-runs.ts";
import { openScratchDaemon } from "./scratch-daemon.ts";

const config = mkdtempSync(join(tmpdir(), "sylk-plugins-"));
afterAll(() => rmSync(config, { recursive: true, force: true }));

it("finds a session by a reviewer its plugin brought, and the Guide names who has it [CAP-5]", async () => {
  const plugin = join(config, "plugins", "interflux");
  mkdirSync(join(plugin, ".claude-plugin"), { recursive: true });
  const integration = { capabilities: ["code-review"], reviewers: [{ name: "fd-safety" }] };
  writeFileSync(join(plugin, ".claude-plugin", "integration.json"), JSON.stringify(integration));
  const installed = { version: 2, plugins: { "interflux@market": [{ installPath: plugin }] } };
  writeFileSync(join(config, "plugins", "installed_plugins.json"), JSON.stringify(installed));

  await using daemon = await openScratchDaemon({ env: { CLAUDE_CONFIG_DIR: config } });
  const heron = await daemon.register("heron", { client: "claude-code" });
  await daemon.register("otter", { client: "codex" });
  expect(heron.agent.capabilities).toEqual(["code-review", "reviewer:fd-safety"]);
  const { items } = await daemon.user.call("agent.list", { capability: "reviewer:fd-safety" });
  expect(items.map(({ name }) => name)).toEqual(["heron"]);

  const child = await daemon.user.call("agent.register", {
    sessionKey: "child",
    client: "claude-code",
    project: { path: daemon.repository },
    parent: heron.agent.id,
  });
  expect(child.agent.capabilities).toEqual(["code-review", "reviewer:fd-safety"]);

  const asked = daemon.user.call("run.start", {
    request: "@to:fd-safety look at src/orders.ts",
    project: { path: daemon.repository },
    rehearse: sampleScenario,
  });
  await expect(asked).rejects.toMatchObject({
    code: "input.invalid",
    message: expect.stringMatching(/fd-safety is a reviewer of heron .*sylk mail send .* --to heron/),
  });
});
