/** Engineers at work: at the same time, under reservations, and nowhere but in the session's worktree. */
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { LogEvent, Reservation } from "../../src/contract/index.ts";
import { command, finish, plan, read, work, write, type Step } from "./scenario-turns.ts";
import { openScratchDaemon, type ScratchDaemon } from "./scratch-daemon.ts";
import { makeQuickShop, nodeMoves, nodeOf, shopEnv } from "./scratch-shop.ts";

let daemon: ScratchDaemon;
beforeAll(async () => {
  daemon = await openScratchDaemon({ env: shopEnv });
});
afterAll(() => daemon[Symbol.asyncDispose]());

/** Passes only while the other one is under way, too. */
const meeting = (own: string, other: string): string => `
import { existsSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";
test("meets the other engineer", async () => {
  writeFileSync("meet/${own}.here", "");
  for (let looks = 0; looks < 3000 && !existsSync("meet/${other}.here"); looks++) await setTimeout(20);
  if (!existsSync("meet/${other}.here")) throw new Error("nobody came");
});
`;

describe.concurrent("two engineers", { timeout: 180_000 }, () => {
  it("work at the same time, each an agent with reservations of its own, all inside the worktree [RUN-3]", async () => {
    const shop = makeQuickShop(daemon);
    const before = shop.snapshot();
    const meet = (own: string, other: string) =>
      work(own, write(`meet/${own}.test.ts`, meeting(own, other)), command("node", "--test", `meet/${own}.test.ts`), {
        expect: { toolResult: "pass 1" },
        reply: [finish(`${own} met ${other}`)],
      });
    const { run, events } = await shop.run([
      plan([{ key: "left" }, { key: "right" }]),
      ...meet("left", "right"),
      ...meet("right", "left"),
    ]);
    expect([run.status, run.reason]).toEqual(["verified", undefined]);
    const moves = nodeMoves(events)
      .filter(({ title }) => title.startsWith("Node"))
      .map(({ title, to }) => `${title} ${to}`);
    const firstEnd = moves.findIndex((move) => move.endsWith("succeeded"));
    expect(moves.slice(0, firstEnd)).toEqual(expect.arrayContaining(["Node left running", "Node right running"]));

    const [left, right] = [nodeOf(run, "Node left"), nodeOf(run, "Node right")];
    expect(left.agent).not.toBe(right.agent);
    expect(left.startedAt! < right.endedAt! && right.startedAt! < left.endedAt!).toBe(true);
    const held = await reservationEvents(shop.repository, "reservation.acquired");
    const { tree } = run.workspace!;
    expect(new Set(held.map(({ holder, tree, paths }) => [holder.name, tree, ...paths].join(" ")))).toEqual(
      new Set([`${left.agent} ${tree} meet/left.test.ts`, `${right.agent} ${tree} meet/right.test.ts`]),
    );
    expect(shop.snapshot()).toEqual(before);
    expect(shop.git("status", "--porcelain")).toBe("");
  });

  it("who want the same file get it one after the other, and nothing is lost [RUN-3]", async () => {
    const shop = makeQuickShop(daemon);
    const slow =
      "import { test } from 'node:test'; test('takes a while', () => new Promise((end) => setTimeout(end, 700)));\n";
    const { run } = await shop.run([
      plan([{ key: "first" }, { key: "second" }]),
      ...work(
        "first",
        [write("src/shared.ts", "export const first = 1;\n"), write("meet/slow.test.ts", slow)],
        command("node", "--test", "meet/slow.test.ts"),
        finish("first is in"),
      ),
      ...work(
        "second",
        { reply: [read("src/cart.ts")], fault: { delayMs: 400 } },
        write("src/second.ts", "export const second = 2;\n"),
        write("src/shared.ts", "export const both = 2;\n"),
        finish("both are in"),
      ),
    ]);
    expect(run.status).toBe("verified");
    expect(shop.git("show", `${run.commit}:src/shared.ts`)).toBe("export const both = 2;");
    const [first, second] = [nodeOf(run, "Node first"), nodeOf(run, "Node second")];
    const released = await reservationEvents(shop.repository, "reservation.released");
    const acquired = await reservationEvents(shop.repository, "reservation.acquired");
    const of = (list: readonly Held[], agent: string | undefined): Held =>
      list.find(({ holder, paths }) => holder.name === agent && paths.includes("src/shared.ts"))!;
    expect(of(acquired, second.agent).sequence).toBeGreaterThan(of(released, first.agent).sequence);
  });
});

describe.concurrent("an engineer that tries to leave the worktree", { timeout: 180_000 }, () => {
  it("by an absolute path, .., a link, a link to nothing or git's own files is refused, and nothing outside changes [RUN-3]", async () => {
    const outside = join(daemon.root, "outside");
    mkdirSync(outside);
    writeFileSync(join(outside, "secret.txt"), "the user's own\n");
    const shop = makeQuickShop(daemon);
    symlinkSync(outside, join(shop.repository, "link"));
    symlinkSync(join(outside, "new.txt"), join(shop.repository, "dangling.txt"));
    symlinkSync(".git", join(shop.repository, "git-link"));
    shop.commit({});
    const before = shop.snapshot();
    const attempts = [
      write(join(outside, "absolute.txt"), "x"),
      write("../../../outside/dots.txt", "x"),
      write("src/../../../../outside/dots.txt", "x"),
      write("link/through.txt", "x"),
      write("link/secret.txt", "x"),
      write("dangling.txt", "x"),
      read("link/secret.txt"),
      read("../../token"),
      write(".git", "gitdir: /nowhere"),
      write("git-link", "gitdir: /nowhere"),
    ];
    const refused = "outside the working tree|not a file you may use";
    const steps: Step[] = attempts.map((attempt, index) =>
      index === 0 ? attempt : { expect: { toolResult: refused }, reply: [attempt] },
    );
    const { run } = await shop.run([
      plan([{ key: "escape" }]),
      ...work(
        "escape",
        ...steps,
        { expect: { toolResult: refused }, reply: [write("src/inside.ts", "export const inside = 1;\n")] },
        { expect: { toolResult: "written" }, reply: [finish()] },
      ),
    ]);
    expect([run.status, run.reason]).toEqual(["verified", undefined]);
    expect(readdirSync(outside)).toEqual(["secret.txt"]);
    expect(readFileSync(join(outside, "secret.txt"), "utf8")).toBe("the user's own\n");
    expect(shop.git("diff", "--name-only", run.workspace!.baseCommit, run.commit!)).toBe("src/inside.ts");
    expect(shop.snapshot()).toEqual(before);
  });
});

type Held = Reservation & { readonly sequence: number };

async function reservationEvents(project: string, type: string): Promise<readonly Held[]> {
  const { items } = await daemon.clientOf({ project }).call("event.list", { type, limit: 1000 });
  return items.map(({ sequence, data }: LogEvent) => ({ ...(data.reservation as Reservation), sequence }));
}
