import fc from "fast-check";
import { expect, it } from "vitest";
import type { ApprovalId, NodeId, RunId } from "../../contract/index.ts";
import { withdrawUnasked } from "../approvals/index.ts";
import { NodeFailure } from "../dag/index.ts";
import type { Executors } from "../graphs/index.ts";
import { approveCommand } from "./ask-user.ts";
import { type PlayedRuns, playedRuns, scratchRuns, until } from "./testkit.ts";

/** A daemon whose two Engineers ask for a command each; what waits in it is known from the inside. */
function startDaemon(world: ReturnType<typeof scratchRuns>, sameCommand: boolean) {
  let isKilled = false;
  // A killed daemon changes nothing any more, and its calls do not return.
  const transact: typeof world.store.transact = (scope, work) =>
    isKilled ? new Promise(() => {}) : world.store.transact(scope, work);
  const at = { ...world, store: { ...world.store, transact } };
  const listeners = new Set<(id: ApprovalId) => void>();
  const waiting = new Map<object, string>();
  const users = {
    store: at.store,
    clock: at.clock,
    ids: at.ids,
    clean: <T>(value: T) => value,
    onDecided(listener: (id: ApprovalId) => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
  const engineer: Executors["engineer"] = async ({ dag, node, spec, context }) => {
    const asker = {};
    const argv = ["npm", sameCommand ? "ci" : spec.title];
    waiting.set(asker, node);
    const question = { argv, node: node as NodeId };
    const allowed = await approveCommand(dag as RunId, question, context.signal, users).finally(() =>
      waiting.delete(asker),
    );
    if (!allowed) throw new NodeFailure({ class: "permanent", message: "it was not approved" });
    return { summary: "done" };
  };
  return { played: playedRuns({ engineer }, at), waiting, listeners, kill: () => void (isKilled = true) };
}
type Daemon = ReturnType<typeof startDaemon>;

/** The rows about commands and those who wait for them, node by node. */
async function mismatch({ played, waiting, listeners }: Daemon): Promise<string | undefined> {
  const { items } = await played.call("approval.list", {});
  for (const { id } of await played.store.reader.approvals.list({
    graph: undefined,
    project: undefined,
    waitingOnly: false,
  }))
    if (!items.some((item) => item.id === id)) for (const tell of listeners) tell(id);
  const asked = items.flatMap(({ kind, node }) => (kind === "command" ? [node ?? ""] : [])).sort();
  const askers = [...waiting.values()].sort();
  return asked.join() === askers.join() ? undefined : `listed ${asked.join()}, waiting ${askers.join()}`;
}

type Deed = (daemon: Daemon, run: RunId) => Promise<unknown>;
const refused = (): undefined => undefined; // the run is not in a state for it: nothing may change then
const deeds: Readonly<Record<string, Deed>> = {
  approve: async ({ played }) => decideOne(played, "approve"),
  reject: async ({ played }) => decideOne(played, "reject"),
  cancel: ({ played }, id) => played.call("run.cancel", { id }).catch(refused),
  pause: ({ played }, id) => played.call("run.interrupt", { id }).catch(refused),
  resume: ({ played }, id) => played.call("run.resume", { id }).catch(refused),
  async retry({ played }, id) {
    const { run } = await played.call("run.get", { id });
    const failed = run.nodes.find(({ state }) => state === "failed");
    if (failed !== undefined) await played.call("run.retry", { id, node: failed.id }).catch(refused);
  },
  discard: ({ played }, id) => played.call("run.discard", { id }).catch(refused),
};

async function decideOne({ call }: PlayedRuns, decision: "approve" | "reject"): Promise<void> {
  const [first] = (await call("approval.list", {})).items;
  if (first !== undefined) await call("approval.decide", { id: first.id, decision }).catch(refused);
}

it("no list shows a question whose asker is gone, and no asker waits without a row, whatever happens", async () => {
  const names = [...Object.keys(deeds), "kill"];
  await fc.assert(
    fc.asyncProperty(
      fc.boolean(),
      fc.array(fc.constantFrom(...names), { minLength: 1, maxLength: 8 }),
      async (same, sequence) => {
        using at = scratchRuns();
        let daemon = startDaemon(at, same);
        const { id } = await daemon.played.begin();
        await until(() => daemon.waiting.size === 2);
        for (const name of sequence) {
          if (name === "kill") {
            daemon.kill();
            daemon = startDaemon(at, same);
            await withdrawUnasked(at.store, at.clock);
            await daemon.played.host.resumeAll({ autoResume: true });
          } else await deeds[name]!(daemon, id);
          const agree = await until(async () => (await mismatch(daemon)) === undefined).then(
            () => "",
            async () => String(await mismatch(daemon)),
          );
          expect(agree, `after ${name} of ${sequence.join(", ")}`).toBe("");
        }
        await daemon.played.host.close();
      },
    ),
    { numRuns: 60, endOnFailure: true },
  );
});
