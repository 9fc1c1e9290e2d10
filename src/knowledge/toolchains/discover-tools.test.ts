import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import type { ToolAnswer, ToolScan } from "../../contract/index.ts";
import { manualClock } from "../../platform/clock/index.ts";
import { createToolDiscovery, type DiscoveryPorts } from "./discover-tools.ts";
import { createToolRegistry, registryOfHome } from "./registry.ts";
import { scanTools } from "./scan-tools.ts";
import { noChoices } from "./tool-choices.ts";

const made: string[] = [];
afterEach(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true });
});

function scratch(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), "tools-"));
  made.push(folder);
  mkdirSync(join(folder, ".git"));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

function open(ports: Partial<DiscoveryPorts> = {}) {
  const clock = manualClock();
  const registry = createToolRegistry();
  let scans = 0;
  const discovery = createToolDiscovery({
    registry,
    clock,
    cacheMs: () => 60 * 60_000,
    research: async () => undefined,
    choices: async () => noChoices,
    scan: (request) => {
      scans++;
      return scanTools(request, { registry, env: {} });
    },
    ...ports,
  });
  return { clock, registry, discovery, scans: () => scans };
}
const python = { "a.py": "x = 1\n" };
const of = (path: string, session = "ses_a") => ({ session, agent: "user", path, category: "linter" }) as const;

describe("discovery", () => {
  it("scans once for all categories and all sessions, until the time is over or it is told to", async () => {
    const at = open();
    const path = scratch({ ...python, "ruff.toml": "" });
    const first = await at.discovery.discoverAll(path, "ses_a");
    expect((await at.discovery.discoverAll(path, "ses_b")).answers).toEqual(first.answers);
    expect(at.scans()).toBe(1);
    at.clock.advance(60 * 60_000 - 1);
    expect((await at.discovery.discover(of(path))).cached).toBe(true);
    at.clock.advance(1);
    expect((await at.discovery.discover(of(path))).cached).toBe(false);
    expect(at.scans()).toBe(2);
    at.discovery.invalidateCache("ses_a", path);
    expect((await at.discovery.discover(of(path, "ses_b"))).cached).toBe(false);
    expect(at.scans()).toBe(3);
  });

  it("ends a scan after ten seconds, and says so; nothing found is then a question, not an answer", async () => {
    let stopped = false;
    const begun = Promise.withResolvers<void>();
    const never: DiscoveryPorts["scan"] = (_, { signal, limitMs }) => {
      begun.resolve();
      expect(limitMs).toBe(10_000);
      signal.addEventListener("abort", () => (stopped = true));
      return new Promise<never>(() => {});
    };
    const at = open({ scan: never });
    const asked = at.discovery.discover({ ...of(scratch(python)), languages: ["python"] });
    await begun.promise;
    at.clock.advance(9_999);
    expect(stopped).toBe(false);
    at.clock.advance(1);
    const [answer] = (await asked).answers;
    expect(answer).toMatchObject({ tier: 3, confidence: "low", requiresUser: true, tools: [] });
    expect(answer!.notes[0]).toMatch(/did not end within 10 s$/);
    expect(stopped).toBe(true);
  });

  it("asks for research only where a language has no tool, for thirty seconds, and then a person", async () => {
    const researched = {
      category: "linter",
      tier: 2,
      confidence: "medium",
      tools: [],
      requiresUser: false,
      options: [],
      notes: [],
    };
    const asked: unknown[] = [];
    const found = open({
      research: async ({ languages, category }, { session, limitMs }) => {
        asked.push([session, category, languages, limitMs]);
        return { answers: [researched as ToolAnswer] } as unknown as ToolScan;
      },
    });
    expect((await found.discovery.discover(of(scratch({ ...python, ".pylintrc": "" })))).answers[0]?.tier).toBe(1);
    expect(
      (await found.discovery.discover(of(scratch({ ...python, Makefile: "lint:\n\tflake8\n" })))).answers[0]?.tier,
    ).toBe(2);
    expect(asked).toEqual([["ses_a", "linter", ["python"], 30_000]]);
    let begun = () => {};
    const started = new Promise<void>((resolve) => (begun = resolve));
    const slow = open({
      research: () => {
        begun();
        return new Promise<never>(() => {});
      },
    });
    const waiting = slow.discovery.discover(of(scratch(python)));
    await started;
    slow.clock.advance(29_999);
    expect(await Promise.race([waiting, Promise.resolve("waits")])).toBe("waits");
    slow.clock.advance(1);
    const [late] = (await waiting).answers;
    expect(late).toMatchObject({ tier: 3, requiresUser: true });
    expect(late!.notes).toEqual(["the Academic's research did not end within 30 s, so you choose"]);
  });

  it("knows tools that are added while it runs, asks anew then, and says what is wrong with the file", async () => {
    const home = scratch({});
    const registry = registryOfHome(home);
    const { discovery } = open({ registry, scan: (request) => scanTools(request, { registry, env: {} }) });
    const path = scratch({ ...python, ".house-lint": "" });
    const names = async () => (await discovery.discover(of(path))).answers[0]!.tools.map(({ name }) => name);
    const notes = async () => (await discovery.discover(of(path))).answers[0]!.notes.join();
    const own = (tool: object) => writeFileSync(join(home, "tools.json"), JSON.stringify({ tools: [tool] }));
    expect(await names()).toEqual([]);
    const house = { name: "house-lint", languages: ["python"], configFiles: [".house-lint"] };
    own({ ...house, commands: { linter: ["house-lint", "--all"] } });
    expect(await names()).toEqual(["house-lint"]);
    for (const [wrong, said] of [
      [{ ...house, commands: {} }, "at least one category"],
      [{ ...house, commands: { linter: [] } }, "tools.0.commands.linter"],
      [{ ...house, languages: ["cobol"], commands: { linter: ["x"] } }, '"cobol" is not a known language'],
      [{ ...house, commands: { linter: ["x"] }, run: 1 }, "run"],
    ] as const) {
      own(wrong);
      expect([await names(), await notes()]).toEqual([[], expect.stringContaining(said)]);
    }
    writeFileSync(join(home, "tools.json"), "{");
    expect(await notes()).toContain(`${home}/tools.json adds no tools: `);
    rmSync(join(home, "tools.json"));
    expect(await notes()).not.toContain("adds no tools");
  });
});
