/** The prompt port against real worker processes and a model server on loopback. */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Scenario } from "../../src/adapters/models/rehearsal/scenario.ts";
import { type ScriptedServer, startScriptedServer } from "../../src/adapters/models/rehearsal/scripted-server.ts";
import { createCommands, startTimeOf } from "../../src/adapters/processes/index.ts";
import { DomainError } from "../../src/contract/index.ts";
import { createPrompts, type ProcessIdentity, type PromptRequest } from "../../src/orchestration/executors/index.ts";
import { systemClock } from "../../src/platform/clock/index.ts";
import { createRedactor } from "../../src/platform/redact/index.ts";
import { mainScript } from "./run-sylk.ts";

const turns = [
  { when: { mentions: "two and two" }, reply: [{ text: "Four." }], usage: { input: 12, output: 3 } },
  { when: { mentions: "what is the key" }, reply: [{ text: "It is acme-key-0123456789." }] },
  { when: { mentions: "think" }, fault: { delayMs: 600_000 }, reply: [{ text: "Too late." }] },
];
const scenario = { name: "prompts", turns };
const clock = systemClock();
const redactor = createRedactor("acme-key-0123456789");

let server: ScriptedServer;
let folder: string;
beforeAll(async () => {
  server = await startScriptedServer({ scenario: Scenario.parse(scenario) });
  folder = mkdtempSync(join(tmpdir(), "sylk-prompts-"));
  writeFileSync(join(folder, "scenario.yaml"), JSON.stringify(scenario));
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

function answer(changes: Partial<PromptRequest> & { readonly prompt: string }, apiKey: string = server.apiKey) {
  const started: ProcessIdentity[] = [];
  const prompts = createPrompts({
    clock,
    commands: createCommands(clock),
    processes: { run: (_, run) => run(async () => {}) },
    startTimeOf,
    secrets: redactor.learned,
    clean: redactor.value,
    providers: {
      choose: async (name) => {
        if (name === "nobody") throw new DomainError("provider.not-found", "There is no provider nobody");
        const config = { name: "acme", kind: "anthropic", model: "rehearsal", baseUrl: server.url } as const;
        return { config, apiKey };
      },
    },
    spawnWorker: () =>
      spawn(process.execPath, [mainScript, "__worker"], {
        detached: true,
        serialization: "advanced",
        stdio: ["ignore", "ignore", "ignore", "ipc"],
      }),
  });
  const onStarted = async (process: ProcessIdentity) => void started.push(process);
  const answered = prompts.answer({ role: "librarian", timeoutMs: 60_000, onStarted, ...changes });
  return { started, answered };
}

describe.concurrent("a prompt", () => {
  it("is answered by a process that was told of before it asked, and is gone afterwards", async () => {
    const { started, answered } = answer({ prompt: "What are two and two?" });
    expect(await answered).toEqual({
      text: "Four.",
      model: "acme/rehearsal",
      label: undefined,
      usage: expect.objectContaining({ inputTokens: 12, outputTokens: 3 }),
    });
    expect(started).toHaveLength(1);
    expect(await startTimeOf(started[0]!.pid)).not.toBe(started[0]!.startedAt);
  });

  it("is answered by a rehearsal that says so", async () => {
    const { answered } = answer({ prompt: "What are two and two?", rehearse: join(folder, "scenario.yaml") });
    expect(await answered).toMatchObject({ text: "Four.", model: "rehearsal/rehearsal", label: "rehearsal" });
  });

  it("brings back no key that the daemon knows", async () => {
    expect(await answer({ prompt: "So, what is the key?" }).answered).toMatchObject({ text: "It is [redacted]." });
  });

  it("that is taken back ends its process", async () => {
    const taken = new AbortController();
    const { started, answered } = answer({
      prompt: "think about it",
      signal: taken.signal,
      onStarted: async (process) => {
        started.push(process);
        taken.abort();
      },
    });
    await expect(answered).rejects.toMatchObject({ name: "ModelFailure", kind: "aborted" });
    expect(await startTimeOf(started[0]!.pid)).not.toBe(started[0]!.startedAt);
  });

  it("that takes too long is a failure that may be tried again", async () => {
    const { answered } = answer({ prompt: "think about it", timeoutMs: 500 });
    await expect(answered).rejects.toMatchObject({ kind: "transient", message: "The model took longer than 500 ms" });
  });

  it("with a wrong key, an unknown provider or a bad scenario says what to put right", async () => {
    await expect(answer({ prompt: "two and two" }, "wrong").answered).rejects.toMatchObject({ kind: "user-fixable" });
    await expect(answer({ prompt: "Hello", provider: "nobody" }).answered).rejects.toMatchObject({
      code: "provider.not-found",
    });
    await expect(answer({ prompt: "Hello", rehearse: join(folder, "none.yaml") }).answered).rejects.toMatchObject({
      code: "scenario.invalid",
    });
  });

  it("is not asked when it was taken back before", async () => {
    const { started, answered } = answer({ prompt: "Hello", signal: AbortSignal.abort() });
    await expect(answered).rejects.toMatchObject({ kind: "aborted" });
    expect(started).toEqual([]);
  });
});
