/** `sylk run` on a terminal: the id first, the plan asked about in place, and what Ctrl-C leaves. */
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Run } from "../../src/contract/index.ts";
import { provider } from "./rehearsed-runs.ts";
import { jsonOf } from "./run-sylk.ts";
import { finish, type Turn, work, write } from "./scenario-turns.ts";
import { openScratchDaemon, type ScratchDaemon } from "./scratch-daemon.ts";
import { goodChange, makeQuickShop, nodeOf, patience, type Shop, shopEnv } from "./scratch-shop.ts";
import { hasTerminal, noTerminal, startOnTerminal } from "./terminal.ts";
import { until } from "./until.ts";

let daemon: ScratchDaemon;
beforeAll(async () => {
  daemon = await openScratchDaemon({ env: shopEnv });
});
afterAll(() => daemon[Symbol.asyncDispose]());

const testCommand = ["--test-command", "node test/format.test.ts"];
const prompt = 'Do the work named "price" here. Round up.';
const planned: Turn = {
  when: { tool: "propose_plan" },
  reply: [
    {
      tool: "propose_plan",
      input: {
        summary: "A small plan.",
        nodes: [
          {
            key: "price",
            title: "Node price",
            role: "engineer",
            prompt,
            files: ["src/price.ts", "test/price.test.ts"],
            dependsOn: [],
          },
        ],
      },
    },
  ],
};
const priced = [planned, ...work("price", write("src/price.ts", "export const price = 1;\n"), finish())];

function onTerminal(shop: Shop, args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const running = startOnTerminal({ ...daemon, repository: shop.repository }, args, env, "pipe");
  const text = (): string => stripVTControlCharacters(running.output()).replaceAll("\r", "");
  const waitFor = (what: string | RegExp, times = 1) =>
    until(`the terminal shows ${what}`, () => text().split(what).length > times, patience).catch((error: unknown) => {
      throw new Error(`the terminal shows ${text()}`, { cause: error });
    });
  const type = (words: string): void => void running.child.stdin!.write(words);
  return { ...running, text, waitFor, type };
}
const requestOf = (shop: Shop, turns: readonly Turn[]) => [
  "run",
  "Add prices",
  "--rehearse",
  shop.scenario(turns),
  ...testCommand,
];
const question = "Carry out this plan? [y/n/show/edit] ";

/** An editor that breaks the plan when it is opened first, and renames its node when it is opened again. */
function makeEditor(folder: string): string {
  const [editor, kept] = [join(folder, "editor"), join(folder, "kept.yaml")];
  writeFileSync(
    editor,
    `#!/bin/sh
if [ -f ${kept} ]; then sed 's/title: Node price/title: Price node/' ${kept} > "$2"
else cp "$2" ${kept}; printf 'nodes:\\n  first:\\n    title: 1\\n  second:\\n    prompt: x\\n' > "$2"
fi
`,
  );
  chmodSync(editor, 0o755);
  return editor;
}

describe.concurrent("sylk run on a terminal [RUN-13]", { timeout: 180_000 }, () => {
  it("shows its id first, then the plan with files and checks, its prompts, an editor with every problem, and runs on y", async ({
    skip,
  }) => {
    skip(!hasTerminal(), noTerminal);
    const shop = makeQuickShop(daemon);
    const at = onTerminal(shop, requestOf(shop, priced), {
      SYLK_NOTIFY_BELL: "true",
      VISUAL: `${makeEditor(shop.repository)} --wait`,
    });
    await at.waitFor(question);
    expect(at.output(), "the bell says that the plan waits").toContain("\u0007");
    expect(at.text().split("\n")[0]).toMatch(/^Add prices {2}run_\w+$/);
    for (const line of [
      "Plan  A small plan.",
      "  1. Node price",
      "files: src/price.ts, test/price.test.ts",
      "tests: node test/format.test.ts",
    ])
      expect(at.text()).toContain(line);
    expect(at.text()).not.toContain("Round up");
    at.type("show\n");
    await at.waitFor(question, 2);
    expect(at.text()).toContain(prompt);
    at.type("edit\n");
    await at.waitFor(question, 3);
    for (const problem of [
      /plan:\d+:\d+: .*first\.title/,
      /plan:\d+:\d+: .*first\.prompt/,
      /plan:\d+:\d+: .*second\.title/,
    ])
      expect(at.text()).toMatch(problem);
    at.type("edit\n");
    await at.waitFor("1. Price node");
    await at.waitFor(question, 4);
    at.type("what?\n");
    await at.waitFor("Type y to carry it out");
    at.type("y\n");
    const shown = at.text().length;
    const { code } = await at.ended;
    expect([code, at.text()]).toEqual([0, expect.stringMatching(/✔ Price node[\s\S]*\nverified\n/)]);
    expect(at.text().slice(shown), "the plan was just seen").not.toContain("A small plan.");
  });

  it("ends as rejected on n, leaves nothing, and says what to do next", async ({ skip }) => {
    skip(!hasTerminal(), noTerminal);
    const shop = makeQuickShop(daemon);
    const hour = new Date().getHours();
    const [from, to] = [hour + 23, hour + 2].map((wanted) => `${String(wanted % 24).padStart(2, "0")}:00`);
    const quiet = { SYLK_NOTIFY_BELL: "true", SYLK_NOTIFY_QUIET_HOURS: `${from}-${to}` };
    const at = onTerminal(shop, requestOf(shop, priced), quiet);
    await at.waitFor(question);
    expect(at.output(), "quiet hours").not.toContain("\u0007");
    at.type("n\n");
    const { code } = await at.ended;
    const id = /run_\w+/.exec(at.text())![0];
    expect(code).toBe(5);
    expect(at.text()).toContain("cancelled: the plan was rejected");
    expect(at.text()).toContain(`change it: sylk run feedback ${id} `);
    expect(at.text()).toContain('Start again with other words: sylk run "…"');
    expect([shop.git("branch", "--list", "sylk/*"), shop.git("worktree", "list").split("\n").length]).toEqual(["", 1]);
  });

  it("says on Ctrl-C what keeps running and how to watch, stop or undo it; sylk run watch shows it to its end", async ({
    skip,
  }) => {
    skip(!hasTerminal(), noTerminal);
    const shop = makeQuickShop(daemon);
    const slow = { reply: [write("src/price.ts", "export const price = 1;\n")], fault: { delayMs: 3_000 } };
    const at = onTerminal(shop, [...requestOf(shop, [planned, ...work("price", slow, finish("priced"))]), "--yes"]);
    await at.waitFor("▸ Node price");
    at.type("\u0003");
    const { code } = await at.ended;
    const id = /run_\w+/.exec(at.text())![0];
    expect(code).toBe(130);
    for (const line of [
      `${id} keeps running.`,
      `  watch it: sylk run watch ${id}`,
      `  stop it: sylk run cancel ${id}`,
      `  undo it: sylk run cancel ${id} && sylk discard ${id}`,
    ])
      expect(at.text()).toContain(line);
    const watching = onTerminal(shop, ["run", "watch"]);
    expect((await watching.ended).code).toBe(0);
    expect(watching.text()).toContain(`Add prices  ${id}`);
    expect(watching.text()).toMatch(/1\. Node price[\s\S]*✔ Node price[\s\S]*priced[\s\S]*\nverified\n/);
  });

  it("keeps waiting on Ctrl-C at the question, and says how to decide later", async ({ skip }) => {
    skip(!hasTerminal(), noTerminal);
    const shop = makeQuickShop(daemon);
    const at = onTerminal(shop, requestOf(shop, priced));
    await at.waitFor(question);
    at.type("\u0003");
    expect((await at.ended).code).toBe(130);
    const id = /run_\w+/.exec(at.text())![0];
    for (const line of [
      `${id} waits for your decision.`,
      `approve it: sylk approve ${id}`,
      `stop it: sylk run cancel ${id}`,
    ])
      expect(at.text()).toContain(line);
    expect((await shop.sylk("approve", id)).code).toBe(0);
  });
});

describe.concurrent("sylk run in a pipe", { timeout: 180_000 }, () => {
  it("does not ask; it says how to approve, with files and checks of the plan [RUN-2]", async () => {
    const shop = makeQuickShop(daemon);
    const { code, stdout } = await shop.sylk(...requestOf(shop, priced));
    const id = /run_\w+/.exec(stdout)![0];
    expect(code).toBe(0);
    expect(stdout.split("\n")[0]).toBe(`Add prices  ${id}`);
    for (const line of ["files: src/price.ts, test/price.test.ts", `approve it: sylk approve ${id}`])
      expect(stdout).toContain(line);
    expect(stdout).not.toContain(question);
    await shop.sylk("run", "cancel", id);
  });

  it("says of a node that it changed nothing, or wrote no test although the plan names one [RUN-14]", async () => {
    const shop = makeQuickShop(daemon);
    const first = await shop.sylk(...requestOf(shop, priced), "--yes");
    const note = "the plan names test/price.test.ts, and it wrote no test there";
    const id = /run_\w+/.exec(first.stdout)![0];
    const { run } = jsonOf<{ run: Run }>(await shop.sylk("run", "show", id, "--json"));
    expect([run.status, nodeOf(run, "Node price").notes]).toEqual(["verified", [note]]);
    for (const text of [first.stdout, (await shop.sylk("run", "show", id)).stdout])
      expect(text).toContain(`but ${note}`);
    const idle = await shop.sylk(...requestOf(shop, [planned, ...work("price", finish("done already"))]), "--yes");
    expect(idle.stdout).toContain("but it changed no file");
    const kept = await shop.run([
      planned,
      ...work("price", [write("src/price.ts", "1;\n"), write("test/price.test.ts", "1;\n")], finish()),
    ]);
    expect(nodeOf(kept.run, "Node price").notes).toBeUndefined();
  });

  it("says that a model call is tried again, when and why, while it waits [RUN-14]", async () => {
    const shop = makeQuickShop(daemon);
    await daemon.user.call("provider.add", provider("absent"));
    const running = daemon.start(["run", "Add prices", "--provider", "absent"], { cwd: shop.repository });
    await until(
      "it tells",
      () => /architect: trying again in \d+ s \(connection refused\)/.test(running.output()),
      patience,
    );
    const id = /run_\w+/.exec(running.output())![0];
    expect((await shop.sylk("run", "cancel", id)).code).toBe(0);
    expect((await running.ended).code).toBe(5);
    const { items } = await daemon.clientOf({ project: shop.repository }).call("event.list", { limit: 1000 });
    expect(items.find(({ type }) => type === "run.model-retried")?.data).toMatchObject({
      run: id,
      role: "architect",
      reason: "connection refused",
    });
  });
});

type Made = { readonly shop: Shop; readonly run: Run };
const again = async ({ shop, run }: Made): Promise<Run> =>
  (await daemon.clientOf({ project: shop.repository }).call("run.get", { id: run.id })).run;

/** A run in each state; each call makes a new one. */
const states: Readonly<Record<string, (shop: Shop) => Promise<Run>>> = {
  verified: async (shop) => (await shop.run(goodChange())).run,
  unverified: async (shop) => (await shop.run(goodChange(), { args: ["--test-command", "true"] })).run,
  "unverified, changed nothing": async (shop) => (await shop.run([planned, ...work("price", finish())])).run,
  failed: async (shop) =>
    (
      await shop.run([
        planned,
        ...work("price", write("src/a.ts", "1;\n"), { tool: "give_up", input: { reason: "no" } }),
      ])
    ).run,
  "failed before work": async (shop) =>
    (await shop.run([{ when: { tool: "propose_plan" }, reply: [{ text: "no" }] }])).run,
  awaiting_approval: async (shop) => (await shop.run(priced, { approve: false })).run,
  paused: async (shop) => {
    const { run } = await shop.run(priced, { approve: false });
    await shop.sylk("run", "pause", run.id);
    return again({ shop, run });
  },
  rejected: async (shop) => {
    const { run } = await shop.run(priced, { approve: false });
    await shop.sylk("approve", run.id, "--reject");
    return again({ shop, run });
  },
  cancelled: async (shop) => {
    const { run } = await shop.run(priced, { approve: false });
    await shop.sylk("run", "cancel", run.id);
    return again({ shop, run });
  },
  merged: async (shop) => {
    const { run } = await shop.run(goodChange());
    await shop.sylk("merge", run.id);
    return again({ shop, run });
  },
  discarded: async (shop) => {
    const { run } = await shop.run(goodChange());
    await shop.sylk("discard", run.id);
    return again({ shop, run });
  },
};

describe.concurrent("every command that sylk run show advises", { timeout: 180_000 }, () => {
  it.each(Object.keys(states))("is accepted: %s [RUN-14]", async (state) => {
    const make = states[state]!;
    const hints = async ({ shop, run }: Made): Promise<readonly string[]> =>
      [...(await shop.sylk("run", "show", run.id)).stdout.matchAll(/^ {2}[a-z ]+: sylk (.+)$/gm)].map(
        ([, words]) => words!,
      );
    const made = async (): Promise<Made> => {
      const shop = makeQuickShop(daemon);
      return { shop, run: await make(shop) };
    };
    let current = await made();
    const advised = await hints(current);
    expect(advised.length > 0, "a run that is over needs nothing").toBe(
      state !== "merged" && state !== "discarded" && state !== "cancelled",
    );
    for (const index of advised.keys()) {
      const { shop } = current;
      const words = (await hints(current))[index]!;
      const args = [...words.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain!);
      const { code, stderr } = await shop.sylk(...args);
      expect([0, 5], `${words}: ${stderr}`).toContain(code);
      // A look leaves the run as it is.
      if (index + 1 < advised.length && !words.startsWith("diff")) current = await made();
    }
  });
});
