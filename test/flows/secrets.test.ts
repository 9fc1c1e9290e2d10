/**
 * A configured key that everybody repeats: the user's request, a command's output, the model's plan and its answers. It is
 * looked for in every byte of the home.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { mainScript, type SylkRun, startProcess } from "./run-sylk.ts";
import { correction, finish, plan, type Step, type Turn, work, write } from "./scenario-turns.ts";
import { openScratchDaemon, type ScratchDaemon } from "./scratch-daemon.ts";
import { makeShop, shopEnv, workOf } from "./scratch-shop.ts";
import { hasTerminal, noTerminal, startOnTerminal } from "./terminal.ts";
import { until, within } from "./until.ts";

const key = "acme-7Qz41vX0tLw92Rk58Ybm63Nd";
/** Not as one word, so that the repository does not hold it: Sylk does not look into the files of a project. */
const printsKey = `console.log("the key is " + ${JSON.stringify(key.split(""))}.join(""));\n`;
const firstFailing = `${printsKey}
import { existsSync } from "node:fs";
import { test } from "node:test";
test("repeats it", () => { if (!existsSync("src/right.ts")) throw new Error("with " + ${JSON.stringify(key.split(""))}.join("")); });
`;

let daemon: ScratchDaemon;
beforeAll(async () => {
  daemon = await openScratchDaemon({ env: shopEnv });
});
afterAll(() => daemon[Symbol.asyncDispose]());

/** `sylk … ` with something on standard input. */
function typed(args: readonly string[], input: string): Promise<SylkRun> {
  const { env, repository: cwd } = daemon;
  const started = startProcess(process.execPath, [mainScript, ...args], { env, cwd, input: "pipe" });
  started.child.stdin!.end(input);
  return within(`"sylk ${args.join(" ")}" ends`, started.ended);
}

const addAcme = ["provider", "add", "acme", "--kind", "openai-compatible", "--model", "m"];
const address = ["--base-url", "http://127.0.0.1:65000/v1"];

/** Files of the home that hold a text. */
function filesWith(text: string): readonly string[] {
  return readdirSync(daemon.paths.home, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && readFileSync(join(entry.parentPath, entry.name), "latin1").includes(text))
    .map(({ name }) => name);
}

describe("a provider's key", { timeout: 120_000 }, () => {
  it("is read from standard input, so that no list of processes shows it; given in the open it is pointed out", async () => {
    const added = await typed([...addAcme, ...address, "--key", "-"], `${key}\n`);
    expect([added.code, added.stderr]).toEqual([0, ""]);
    expect(added.stdout).toContain("key: file");
    expect(filesWith(key)).toEqual(["providers.json"]);
    const nothing = await typed([...addAcme, ...address, "--key", "-"], "\n");
    expect([nothing.code, nothing.stderr]).toEqual([2, expect.stringContaining("Standard input was empty")]);
    const inTheOpen = await daemon.sylk([...addAcme, ...address, "--key", key]);
    expect([inTheOpen.code, inTheOpen.stderr]).toEqual([0, expect.stringContaining("--key -")]);
    expect(inTheOpen.stderr).not.toContain(key);
  });

  it("typed at a terminal is not shown", async ({ skip }) => {
    skip(!hasTerminal(), noTerminal);
    const started = startOnTerminal(daemon, [...addAcme, ...address, "--key", "-"], {}, "pipe");
    await until("it asks", () => started.output().includes("Key (it is not shown):"));
    started.child.stdin!.write(`${key}\r`);
    const { code, stdout } = await within("it ends", started.ended);
    expect([code, stdout]).toEqual([0, expect.stringContaining("key: file")]);
    expect(stdout).not.toContain(key.slice(0, 6));
    expect(filesWith(key)).toEqual(["providers.json"]);
  });

  it("that a command prints, a model repeats and a request quotes is nowhere but in its own file", async () => {
    await typed([...addAcme, ...address, "--key", "-"], key);
    const shop = makeShop(daemon, {
      "package.json": '{ "name": "shop", "private": true, "type": "module" }\n',
      "test/format.test.ts": null,
      "test/prints.test.ts": firstFailing,
    });
    // The model is told what the command printed, without the key.
    const runsIt: Step = {
      reply: [{ tool: "run_command", input: { argv: ["node", "--test", "test/prints.test.ts"] } }],
    };
    const told = { reply: [finish(`I saw ${key}`)], expect: { toolResult: "the key is \\[redacted\\]" } };
    const { run, events } = await shop.run(
      [
        ...correction("repeats it", [write("src/right.ts", "export {};\n")], finish(`right, ${key}`)),
        talkative(plan([{ key: "price" }])),
        ...work("price", [write("src/price.ts", "export const price = 1;\n")], runsIt, told),
      ],
      { request: `Print ${key}`, args: ["--test-command", "node --test test/prints.test.ts"] },
    );
    expect([run.status, run.request], JSON.stringify([run.reason, run.nodes])).toEqual([
      "verified",
      "Print [redacted]",
    ]);
    expect(workOf(run).map(({ summary }) => summary)).toEqual(["I saw [redacted]", "right, [redacted]"]);
    expect(JSON.stringify(run.findings)).toContain("[redacted]");
    expect(JSON.stringify(events)).toContain("A plan with [redacted]");
    const shown = await Promise.all(
      [
        ["events", "--limit", "1000"],
        ["history", "--all-sessions"],
        ["logs", "--lines", "1000"],
        ["run", "show", run.id],
      ].map((words) => shop.sylk(...words, "--json")),
    );
    for (const { stdout, code } of shown) expect([code, stdout.includes(key.slice(0, 16))]).toEqual([0, false]);
    expect(shown[1]!.stdout).toContain("Print [redacted]");
    expect(filesWith(key)).toEqual(["providers.json"]);
    expect(filesWith(key.slice(5, 20))).toEqual(["providers.json"]);
  });

  it("in a command that needs approval is not asked about: a person approves only what is shown", async () => {
    const shop = makeShop(daemon);
    const { run } = await shop.run([
      plan([{ key: "price" }]),
      ...work("price", [{ tool: "run_command", input: { argv: ["curl", "-H", `x: ${key}`] } }], {
        reply: [write("src/price.ts", "export const price = 1;\n"), finish()],
        expect: { toolResult: "looks like a secret" },
      }),
    ]);
    expect(run.status).toBe("verified");
    const { items } = await daemon.user.call("approval.list", { run: run.id });
    expect(items).toEqual([]);
  });
});

/** The same plan, from a model that says the key while it plans. */
function talkative(turn: Turn): Turn {
  const text = JSON.stringify(turn.reply).replace("A small plan.", `A plan with ${key}`);
  return { ...turn, reply: JSON.parse(text) as Turn["reply"] };
}
