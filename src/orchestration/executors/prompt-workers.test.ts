/** Prompts are answered by processes that end at once after their last word, many at a time. */
import { spawn } from "node:child_process";
import { expect, it } from "vitest";
import { systemClock } from "../../platform/clock/index.ts";
import { createPrompts } from "./prompt-workers.ts";

const said = { text: "Four.", model: "acme/m", usage: { inputTokens: 1, outputTokens: 1 } };
/** Says that it is ready, reads the question, answers and ends: sooner than any program of Node could. */
const program = `printf '{"kind":"ready"}\\n' >&3; read -r question <&3; printf '%s\\n' '${JSON.stringify({ kind: "answered", answer: said })}' >&3`;

it("an answer counts although its process has ended before the answer was read", async () => {
  const prompts = createPrompts({
    clock: systemClock(),
    commands: { endGroup: async () => {} },
    processes: { run: (_, run) => run(async () => {}) },
    startTimeOf: async () => "1",
    secrets: () => [],
    clean: (value) => value,
    providers: { choose: async () => ({ config: { name: "acme" } }) as never },
    // Ends are noticed for all children together, so an end can be known before the words that came first.
    spawnWorker: () => spawn("sh", ["-c", program], { stdio: ["ignore", "ignore", "ignore", "ipc"] }),
  });
  const ask = () => prompts.answer({ role: "librarian", prompt: "What are two and two?", timeoutMs: 60_000 });
  for (let round = 0; round < 10; round++)
    expect(await Promise.all(Array.from({ length: 25 }, ask))).toEqual(Array.from({ length: 25 }, () => said));
}, 60_000);
