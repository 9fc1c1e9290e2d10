import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { type ConfinePorts, wrapCommand } from "../../coordination/guard/index.ts";
import { acquireReservation } from "../../coordination/reservations/index.ts";
import { scratchPorts } from "../../coordination/testkit.ts";
import { systemClock } from "../../platform/clock/index.ts";
import { createConfinement } from "./confinement.ts";
import { noNamespaces } from "./testkit.ts";

const confinement = createConfinement({ clock: systemClock(), installedHelper: "" });

it("puts commands that the daemon runs for an agent under the same holds, and explains the refusal", async ({
  skip,
}) => {
  skip(noNamespaces !== "", noNamespaces);
  using ports = scratchPorts();
  const [heron, otter] = [await ports.caller("heron"), await ports.caller("otter")];
  const cwd = heron.caller.tree;
  writeFileSync(join(cwd, "a.ts"), "kept");
  const policyFor: ConfinePorts["policyFor"] = async () => "deny";
  const all = { ...ports, confinement, enforce: "auto", policyFor } as const;
  const argv = ["sh", "-c", "echo lost > a.ts"] as const;
  expect((await wrapCommand({ argv, cwd }, otter.caller.agent.id, all)).argv).toEqual(argv);
  await acquireReservation(
    { paths: ["a.ts"], patterns: [], mode: "exclusive", scope: "tree", waitMs: 0 },
    heron,
    ports,
  );
  const wrapped = await wrapCommand({ argv, cwd }, otter.caller.agent.id, all);
  const { stderr } = spawnSync(wrapped.argv[0], wrapped.argv.slice(1), { cwd, encoding: "utf8" });
  expect(readFileSync(join(cwd, "a.ts"), "utf8")).toBe("kept");
  expect(await wrapped.explain(stderr)).toMatch(
    /^What other agents hold is read-only for your commands: "a.ts" is held by heron/,
  );
  expect(await wrapped.explain("all is well")).toBeUndefined();
  const unknown = wrapCommand({ argv, cwd }, "agt_01jd8q3m7k4x9t2v5b8n1c" as never, all);
  await expect(unknown).rejects.toMatchObject({ code: "agent.not-found" });
});
