/** Settings from five layers, as a user meets them: in `config show`, in a start that is refused, in a lease's length. */
import { chmodSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { jsonOf } from "./run-sylk.ts";
import { openScratchDaemon } from "./scratch-daemon.ts";
import { openScratchHome, writeTree, type ScratchHome } from "./scratch-home.ts";

type Shown = { readonly settings: readonly Row[]; readonly warnings: readonly { message: string }[] };
type Row = { readonly key: string; readonly value: unknown; readonly origin: string; readonly where?: string };

describe("config show", () => {
  it("names the layer and the place of every value; the later layer wins [CORE-24]", async () => {
    await using home = openScratchHome();
    writeSettings(home, {
      user: "log:\n  level: warn\n  keep: 5\nhttp:\n  port: 7400\nreservations:\n  ttlMs: 60000\n  maxPerAgent: 7\n",
      project: "reservations:\n  ttlMs: 90000\nwork:\n  claimTtlMs: 120000\n",
    });
    const env = { SYLK_HTTP_PORT: "7500", SYLK_WORK_CLAIM_TTL_MS: "130000", SYLK_LOG_LEVEL: "error" };
    const shown = await show(home, { env, flags: ["--log-level", "debug"] });
    const project = join(home.repository, ".sylk", "config.yaml");
    expect(shown).toMatchObject({
      "events.retentionDays": { value: 30, origin: "default" },
      "log.keep": { value: 5, origin: "user", where: `${home.paths.config}:3` },
      "reservations.maxPerAgent": { value: 7, origin: "user", where: `${home.paths.config}:8` },
      "reservations.ttlMs": { value: 90_000, origin: "project", where: `${project}:2` },
      "work.claimTtlMs": { value: 130_000, origin: "environment", where: "SYLK_WORK_CLAIM_TTL_MS" },
      "http.port": { value: 7500, origin: "environment", where: "SYLK_HTTP_PORT" },
      "log.level": { value: "debug", origin: "flag", where: "--log-level" },
    });
    const { stdout } = await home.sylk(["config", "show"], { env });
    expect(stdout).toMatch(new RegExp(`reservations.ttlMs +90000 +project ${project}:2 +`));
  });

  it("finds the project's file from a folder below, as the daemon does [CORE-24]", async () => {
    await using home = openScratchHome();
    writeSettings(home, { project: "reservations:\n  ttlMs: 90000\n" });
    const below = join(home.repository, "src", "deep");
    mkdirSync(below, { recursive: true });
    const shown = await show(home, { cwd: below });
    expect(shown["reservations.ttlMs"]).toMatchObject({ value: 90_000, origin: "project" });
  });

  it("warns of a variable that is no setting, and suggests the one that is [CORE-24]", async () => {
    await using home = openScratchHome();
    const run = await home.sylk(["config", "show", "--json"], { env: { SYLK_HTTP_PROT: "1" } });
    expect(jsonOf<Shown>(run).warnings).toEqual([
      expect.objectContaining({ message: expect.stringMatching(/SYLK_HTTP_PROT .* did you mean SYLK_HTTP_PORT\?/) }),
    ]);
  });
});

describe("a flag of `up`", () => {
  it("reaches the daemon that it starts; to one that runs it says when it counts [CORE-24]", async () => {
    await using home = openScratchHome();
    const flags = ["--log-level", "debug", "--no-auto-resume"];
    expect((await show(home, { flags }))["runs.autoResume"]).toMatchObject({ value: false, origin: "flag" });
    expect((await home.sylk(["up", "--log-level", "loud"])).code).not.toBe(0);
    expect((await home.sylk(["up", ...flags])).code).toBe(0);
    const pid = jsonOf<{ pid: number }>(await home.sylk(["status", "--json"])).pid;
    const environment = readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");
    expect(environment).toEqual(expect.arrayContaining(["SYLK_LOG_LEVEL=debug", "SYLK_RUNS_AUTO_RESUME=false"]));
    expect((await home.sylk(["up", "--no-auto-resume"])).stdout).toContain("apply after a restart");
  });
});

describe("a wrong value", () => {
  it.each([
    ["SYLK_LOG_LEVEL", "loud", "one of debug, info, warn, error"],
    ["SYLK_HTTP_PORT", "70000", "a whole number from 0 to 65535"],
    ["SYLK_HTTP_ENABLED", "perhaps", "true or false"],
  ])("of %s=%s is refused by name, with what is allowed [CORE-24]", async (name, value, allowed) => {
    await using home = openScratchHome();
    for (const words of [["serve"], ["config", "show"]]) {
      const { code, stderr } = await home.sylk(words, { env: { [name]: value } });
      expect(code).toBe(2);
      expect(stderr).toContain(name);
      expect(stderr).toContain(allowed);
      expect(stderr).toContain("settings.invalid");
    }
  });

  it("of a flag is refused too, and the flag is named [CORE-24]", async () => {
    await using home = openScratchHome();
    const { code, stderr } = await home.sylk(["serve", "--http-port", "many"]);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/--http-port.*a whole number from 0 to 65535/s)]);
  });

  it("below a higher layer is refused all the same: it would come into force some day [CORE-24]", async () => {
    await using home = openScratchHome();
    writeSettings(home, { user: "http:\n  port: many\n" });
    const { code, stderr } = await home.sylk(["serve"], { env: { SYLK_HTTP_PORT: "0" } });
    expect([code, stderr]).toEqual([2, expect.stringContaining(`${home.paths.config}:2`)]);
  });
});

describe("a project's file", () => {
  it("may not move the daemon; the refusal names file and line, and a file of its own stays without effect [CORE-24]", async () => {
    await using daemon = await openScratchDaemon();
    const heron = await daemon.register("heron");
    writeSettings(daemon, { project: "reservations:\n  ttlMs: 90000\nhttp:\n  port: 1234\n" });
    const file = join(daemon.repository, ".sylk", "config.yaml");
    const run = await daemon.sylk(["config", "show"]);
    expect([run.code, run.stderr]).toEqual([2, expect.stringContaining(`${file}:4`)]);
    await expect(heron.client.call("reservation.acquire", { paths: ["a.ts"] })).rejects.toMatchObject({
      code: "settings.invalid",
      message: expect.stringContaining(`${file}:4`),
    });
    expect((await daemon.sylk(["doctor"])).stdout).toContain(`${file}:4`);
    const crow = await daemon.register("crow", { project: daemon.addRepository("nest") });
    const granted = await crow.client.call("reservation.acquire", { paths: ["a.ts"] });
    expect(granted.reservation.ttlMs).toBe(300_000);
  });

  it("changes what is granted over HTTP, at once and for that project alone [CORE-24]", async () => {
    await using daemon = await openScratchDaemon();
    const heron = await daemon.register("heron");
    const crow = await daemon.register("crow", { project: daemon.addRepository("nest") });
    const ttlOf = async (agent: typeof heron, path: string): Promise<number> => {
      const { reservation } = await agent.client.call("reservation.acquire", { paths: [path] });
      return reservation.ttlMs;
    };
    expect(await ttlOf(heron, "one.ts")).toBe(300_000);
    writeSettings(daemon, { project: "reservations:\n  ttlMs: 45000\n  maxPerAgent: 2\n" });
    expect(await ttlOf(heron, "two.ts")).toBe(45_000);
    expect(await ttlOf(crow, "two.ts")).toBe(300_000);
    await expect(ttlOf(heron, "three.ts")).rejects.toMatchObject({
      code: "reservation.limit",
      details: { limit: 2, used: 2 },
    });
    writeSettings(daemon, { project: "reservations:\n  ttlMs: 50000\n" });
    expect(await ttlOf(heron, "four.ts")).toBe(50_000);
  });
});

it("lets the environment overrule the project's file in the daemon too [CORE-24]", async () => {
  await using daemon = await openScratchDaemon({ env: { SYLK_RESERVATIONS_TTL_MS: "20000" } });
  const heron = await daemon.register("heron");
  writeSettings(daemon, { project: "reservations:\n  ttlMs: 45000\n" });
  const { reservation } = await heron.client.call("reservation.acquire", { paths: ["a.ts"] });
  expect(reservation.ttlMs).toBe(20_000);
});

async function show(
  home: ScratchHome,
  {
    flags = [],
    ...options
  }: { readonly env?: Record<string, string>; readonly cwd?: string; readonly flags?: string[] },
): Promise<Readonly<Record<string, Row>>> {
  const { settings } = jsonOf<Shown>(await home.sylk(["config", "show", "--json", ...flags], options));
  return Object.fromEntries(settings.map((row) => [row.key, row]));
}

function writeSettings(
  home: ScratchHome,
  { user, project }: { readonly user?: string; readonly project?: string },
): void {
  if (user !== undefined) {
    writeTree(home.paths.home, { "config.yaml": user });
    chmodSync(home.paths.home, 0o700);
  }
  if (project !== undefined) writeTree(home.repository, { ".sylk/config.yaml": project });
}
