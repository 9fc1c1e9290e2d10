/** kill -9 of daemon or worker in the middle of a run: it finishes afterwards, as if nothing had happened. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openScratchDaemon, type ScratchDaemon } from "../flows/scratch-daemon.ts";
import { shopEnv } from "../flows/scratch-shop.ts";
import { killRun, type Victim, waysToApprove } from "./killed-run.ts";
import { seededRandom } from "./random.ts";

const kills = 8;
const seed = Number(process.env.SYLK_TEST_SEED ?? Math.floor(performance.now() * 1000) % 2 ** 31);

describe.concurrent.each<Victim>(["daemon", "worker"])("kill -9 of the %s", (victim) => {
  let daemon: ScratchDaemon;
  beforeAll(async () => {
    daemon = await openScratchDaemon({ env: shopEnv });
  });
  afterAll(() => daemon[Symbol.asyncDispose]());

  it(`at ${kills} events from planning to the correction: the run ends verified, nothing finished is done again, no process survives [RUN-4]`, async () => {
    console.log(`seed ${seed} (repeat with SYLK_TEST_SEED=${seed})`);
    const { events, problems: undisturbed } = await killRun(daemon, undefined, 0);
    expect(undisturbed).toEqual([]);
    const { between } = seededRandom(victim === "daemon" ? seed : seed + 1);
    const width = (events.length - 1) / kills;
    for (let part = 0; part < kills; part++) {
      const at = between(Math.floor(part * width) + 1, Math.floor((part + 1) * width));
      const approved = waysToApprove[part % waysToApprove.length]!;
      const { seen, problems } = await killRun(daemon, victim, at, approved);
      console.log(`${victim} killed at event ${at} of ${events.length}, approved ${approved}: ${seen}`);
      expect(problems, `killed at event ${at}: ${seen}`).toEqual([]);
    }
  }, 240_000);
});
