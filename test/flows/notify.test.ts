/** A person who is needed is told: by a command of theirs and by a web address, once for each cause. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { jsonOf } from "./run-sylk.ts";
import { openDaemonHere } from "./daemon-here.ts";
import { openScratchDaemon, type ScratchDaemon } from "./scratch-daemon.ts";
import { until } from "./until.ts";

let daemon: ScratchDaemon;
let server: Server;
let notes: string;
let ways: string;
const posted: { text: string; items: { kind: string }[] }[] = [];
beforeAll(async () => {
  server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      posted.push(JSON.parse(Buffer.concat(parts).toString()) as (typeof posted)[number]);
      response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  daemon = await openScratchDaemon();
  await daemon.kill();
  notes = join(daemon.root, "notes of mine");
  const script = join(daemon.root, "tell me.sh");
  writeFileSync(script, `#!/bin/sh\necho "$SYLK_NOTICE_KIND: $SYLK_NOTICE [$SYLK_TOKEN$SECRET_KEY]" >> "${notes}"\n`, {
    mode: 0o755,
  });
  const command = JSON.stringify([script]);
  const webhook = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  ways = `notify:\n  command: '${command}'\n  webhook: ${webhook}\n`;
  writeFileSync(daemon.paths.config, ways);
  await daemon.restart({ env: { SECRET_KEY: "hunter2" } });
});
afterAll(async () => {
  server.close();
  await daemon[Symbol.asyncDispose]();
});

/** A web address that answers each notice with a status. */
async function listenHere(answer: (text: string) => number): Promise<AsyncDisposable & { readonly url: string }> {
  const receiver = createServer((request, response) => {
    request.setEncoding("utf8");
    let body = "";
    request.on("data", (part: string) => (body += part));
    request.on("end", () => response.writeHead(answer((JSON.parse(body) as { text: string }).text)).end());
  });
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  const { port } = receiver.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hook`,
    async [Symbol.asyncDispose]() {
      receiver.closeAllConnections();
      await new Promise((resolve) => receiver.close(resolve));
    },
  };
}

const noted = (): readonly string[] => {
  try {
    return readFileSync(notes, "utf8").trim().split("\n");
  } catch {
    return []; // nothing was written yet
  }
};

it("tells a person by command and webhook that a node waits, once, also after kill -9 [RUN-16]", async () => {
  const nodes = { deploy: { run: ["true"], approve: true } };
  const { dag } = await daemon.user.call("dag.run", { project: { path: daemon.repository }, nodes });
  await until("both were told", () => noted().length === 1 && posted.length === 1);
  expect(noted()).toEqual([
    expect.stringMatching(/^node: shop: Run deploy\? true \(graph asks; sylk approvals\) \[\]$/),
  ]);
  expect(posted).toMatchObject([{ text: expect.stringContaining("Run deploy?"), items: [{ kind: "node" }] }]);
  await daemon.kill();
  await daemon.restart();
  const nodesToo = { drop: { run: ["true"], approve: true } };
  await daemon.user.call("dag.run", { project: { path: daemon.repository }, nodes: nodesToo });
  await until("the second was told", () => noted().length >= 2 && posted.length >= 2);
  expect(noted()).toEqual([expect.stringContaining("Run deploy?"), expect.stringContaining("Run drop?")]);
  expect(posted.map(({ items }) => items.length)).toEqual([1, 1]);
  await daemon.user.call("dag.cancel", { id: dag.id });
});

it("tells nothing in quiet hours, and sums it up in one notice afterwards [RUN-16]", async () => {
  const before = noted().length;
  await daemon.kill();
  const now = new Date().getHours();
  const [from, to] = [now + 23, now + 2].map((hour) => `${String(hour % 24).padStart(2, "0")}:00`);
  writeFileSync(daemon.paths.config, `${ways}  quietHours: "${from}-${to}"\n`);
  await daemon.restart();
  for (const name of ["seed", "weed"]) {
    const nodes = { [name]: { run: ["true"], approve: true } };
    await daemon.user.call("dag.run", { project: { path: daemon.repository }, nodes });
    await until(`${name} waits`, async () => (await daemon.sylk(["approvals"])).stdout.includes(`Run ${name}?`));
  }
  await daemon.kill();
  writeFileSync(daemon.paths.config, ways);
  await daemon.restart();
  await until("it was told", () => noted().length > before);
  expect(noted().slice(before)).toEqual(["several: 2 decisions wait for you in shop (sylk approvals) []"]);
});

it("tries an address that fails again after 1 s and after 5 s, and tells once; one that fails three times is counted [RUN-16]", async () => {
  const asked: string[] = [];
  let [failures, timers] = [2, 0];
  await using receiver = await listenHere((text) => {
    asked.push(text);
    timers = here.delays.length;
    return failures-- > 0 ? 503 : 204;
  });
  await using here = await openDaemonHere({ SYLK_NOTIFY_WEBHOOK: receiver.url });
  const wait = (name: string) => {
    const nodes = { [name]: { run: ["true"], approve: true } };
    return here.user.call("dag.run", { project: { path: here.home.repository }, nodes });
  };
  /** The pause begins once the answer is read: the clock moves when the daemon waits for it. */
  const triesAfter = async (ms: number): Promise<void> => {
    const before = asked.length;
    await until("the pause begins", () => here.delays.slice(timers).includes(ms));
    here.clock.advance(ms - 1);
    expect(asked).toHaveLength(before);
    here.clock.advance(1);
    await until("it is tried again", () => asked.length > before);
  };
  await wait("ship");
  await until("it was tried", () => asked.length === 1);
  await triesAfter(1_000);
  await triesAfter(5_000);
  expect(asked.map((text) => text.includes("Run ship?"))).toEqual([true, true, true]);
  failures = 3;
  await wait("sink");
  await until("it was tried", () => asked.length === 4);
  await triesAfter(1_000);
  await triesAfter(5_000);
  const told = await until("it is counted", async () => {
    const { troubles } = await here.user.call("daemon.status", {});
    return troubles.find(({ part }) => part === "notifier");
  });
  expect(told.what).toMatch(/One notice to you could not be sent.*did not take it in 3 attempts: Error: HTTP 503/);
  expect(asked.filter((text) => text.includes("Run ship?"))).toHaveLength(3);
});

it("has no way to tell, no quiet hours and no bell by default [RUN-16]", async () => {
  await daemon.kill();
  writeFileSync(daemon.paths.config, "");
  await daemon.restart();
  for (const [name, value] of Object.entries({ command: "", webhook: "", quietHours: "", bell: false }))
    expect(jsonOf(await daemon.sylk(["config", "get", `notify.${name}`, "--json"]))).toMatchObject({
      value,
      origin: "default",
    });
});

it("shows in doctor what could not be sent, and refuses a repository's own command [RUN-16]", async () => {
  await daemon.kill();
  writeFileSync(daemon.paths.config, "notify:\n  command: /nonexistent/bell\n");
  await daemon.restart();
  const nodes = { fail: { run: ["true"], approve: true } };
  await daemon.user.call("dag.run", { project: { path: daemon.repository }, nodes });
  const doctor = await until("the failure is counted", async () => {
    const { stdout } = await daemon.sylk(["doctor"]);
    return stdout.includes("could not be sent") ? stdout : undefined;
  });
  expect(doctor).toMatch(/notifications.*One notice to you could not be sent.*\/nonexistent\/bell was not found/);
  mkdirSync(join(daemon.repository, ".sylk"), { recursive: true });
  writeFileSync(join(daemon.repository, ".sylk", "config.yaml"), "notify:\n  command: touch /tmp/owned\n");
  const shown = await daemon.sylk(["config", "show"]);
  expect(shown.stdout + shown.stderr).toContain("notify.command is a setting of the daemon");
});
