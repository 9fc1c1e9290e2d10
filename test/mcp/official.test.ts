/**
 * The protocol's own tools against the real daemon. What is not expected to pass stands in expected-failures.json with
 * its reason; one of them that passes fails here too, so that the list stays true.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { mainScript, startProcess, type SylkRun } from "../flows/run-sylk.ts";
import { openScratchDaemon, type ScratchDaemon } from "../flows/scratch-daemon.ts";
import { within } from "../flows/until.ts";
import { openBearerProxy } from "./bearer-proxy.ts";
import { entryOf, whatIsMissing } from "./official-tools.ts";

type Outcome = "passed" | "failed" | "nothing checked";
type Expected = Readonly<Record<string, { readonly outcome: Outcome; readonly reason: string }>>;

const expected = JSON.parse(readFileSync(join(import.meta.dirname, "expected-failures.json"), "utf8")) as Expected;
const missing = whatIsMissing();

describe("the conformance suite", () => {
  it.for(["2025-06-18", "2025-11-25"])("finds in %s what is expected, and nothing else", async (revision, { skip }) => {
    skip(missing !== undefined, missing);
    await using daemon = await openScratchDaemon();
    const heron = await daemon.register("heron");
    await using proxy = await openBearerProxy({ port: daemon.port, token: heron.token });
    const args = ["server", "--url", proxy.url, "--suite", "all", "--spec-version", revision];
    const { stdout } = await run(daemon, entryOf("conformance"), args);
    const outcomes = outcomesIn(stdout);
    expect(Object.keys(outcomes).length).toBeGreaterThan(20);
    const wanted = Object.keys(outcomes).map((name) => [name, expected[name]?.outcome ?? "passed"] as const);
    expect(outcomes).toEqual(Object.fromEntries(wanted));
  });

  it("is expected to fail only where a reason is given, by a name it has", async ({ skip }) => {
    skip(missing !== undefined, missing);
    await using daemon = await openScratchDaemon();
    const { stdout } = await run(daemon, entryOf("conformance"), ["list"]);
    for (const [name, { reason }] of Object.entries(expected)) {
      expect(stdout).toContain(`- ${name} [`);
      expect(reason.length).toBeGreaterThan(20);
    }
  });
});

describe("the inspector", () => {
  it.for(["HTTP", "stdio"])("lists the tools and calls one over %s", async (way, { skip }) => {
    skip(missing !== undefined, missing);
    await using daemon = await openScratchDaemon();
    const heron = await daemon.register("heron");
    const target =
      way === "HTTP"
        ? [`${daemon.url}/mcp`, "--transport", "http", "--header", `Authorization: Bearer ${heron.token}`]
        : [process.execPath, mainScript, "mcp", ...variables({ ...daemon.env, SYLK_TOKEN: heron.token })];
    const listed = await inspect(daemon, [...target, "--method", "tools/list"]);
    expect(toolNames(listed)).toContain("work_item_claim");
    const creation = ["--method", "tools/call", "--tool-name", "work_item_create", "--tool-arg", "title=Größe 🙂"];
    const called = await inspect(daemon, [...target, ...creation]);
    expect(JSON.parse(called.stdout)).toMatchObject({ structuredContent: { workItem: { title: "Größe 🙂" } } });
  });

  it("finds nothing in the tools' schemas that other clients could not use", async ({ skip }) => {
    skip(missing !== undefined, missing);
    await using daemon = await openScratchDaemon();
    const target = [
      `${daemon.url}/mcp`,
      "--transport",
      "http",
      "--header",
      `Authorization: Bearer ${daemon.userToken}`,
    ];
    const { code, stderr } = await inspect(daemon, [...target, "--method", "tools/list", "--strict"]);
    expect({ code, stderr: stderr.trim() }).toEqual({ code: 0, stderr: "" });
  });
});

async function run({ env, repository }: ScratchDaemon, entry: string, args: readonly string[]): Promise<SylkRun> {
  const started = startProcess(process.execPath, [entry, ...args], { env, cwd: repository });
  return within(`${args.join(" ")} ends`, started.ended, { withinMs: 50_000 });
}

async function inspect(daemon: ScratchDaemon, args: readonly string[]): Promise<SylkRun> {
  const ended = await run(daemon, entryOf("inspector"), ["--cli", ...args]);
  expect(ended.code, ended.stderr).toBe(0);
  return ended;
}

function toolNames({ stdout }: SylkRun): readonly string[] {
  return (JSON.parse(stdout) as { tools: readonly { name: string }[] }).tools.map(({ name }) => name);
}

function variables(env: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(env).flatMap(([name, value]) => ["-e", `${name}=${value}`]);
}

/** The last part of its output has a line for each scenario. */
function outcomesIn(output: string): Readonly<Record<string, Outcome>> {
  const lines = output.matchAll(/^[✓✗] ([\w/-]+): (\d+) passed, (\d+) failed$/gmu);
  return Object.fromEntries(
    [...lines].map(([, name, passed, failed]) => [
      name!,
      failed !== "0" ? "failed" : passed !== "0" ? "passed" : "nothing checked",
    ]),
  );
}
