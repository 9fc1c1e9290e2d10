/** Settings from five layers, as a user meets them: in `config show`, in a start that is refused, in a lease's length. */
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { hookClient } from "./hook-client.ts";
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
    writeSettings(home, { project: "reservations:\n  ttlMs: 900000\n" });
    const below = join(home.repository, "src", "deep");
    mkdirSync(below, { recursive: true });
    const shown = await show(home, { cwd: below });
    expect(shown["reservations.ttlMs"]).toMatchObject({ value: 900_000, origin: "project" });
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
  it("may not move the daemon; the refusal names file and line, and none of its values has an effect [CORE-24]", async () => {
    await using daemon = await openScratchDaemon();
    const heron = await daemon.register("heron");
    writeSettings(daemon, { project: "reservations:\n  ttlMs: 900000\nhttp:\n  port: 1234\n" });
    const file = join(daemon.repository, ".sylk", "config.yaml");
    const run = await daemon.sylk(["config", "show"]);
    expect([run.code, run.stderr]).toEqual([2, expect.stringContaining(`${file}:4`)]);
    const held = await heron.client.call("reservation.acquire", { paths: ["a.ts"] });
    expect(held.reservation.ttlMs).toBe(300_000);
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
    writeSettings(daemon, { project: "reservations:\n  ttlMs: 450000\n  maxPerAgent: 2\n" });
    expect(await ttlOf(heron, "two.ts")).toBe(450_000);
    expect(await ttlOf(crow, "two.ts")).toBe(300_000);
    await expect(ttlOf(heron, "three.ts")).rejects.toMatchObject({
      code: "reservation.limit",
      details: { limit: 2, used: 2 },
    });
    writeSettings(daemon, { project: "reservations:\n  ttlMs: 500000\n" });
    expect(await ttlOf(heron, "four.ts")).toBe(500_000);
  });
});

it("lets the environment overrule the project's file in the daemon too [CORE-24]", async () => {
  await using daemon = await openScratchDaemon({ env: { SYLK_RESERVATIONS_TTL_MS: "20000" } });
  const heron = await daemon.register("heron");
  writeSettings(daemon, { project: "reservations:\n  ttlMs: 450000\n" });
  const { reservation } = await heron.client.call("reservation.acquire", { paths: ["a.ts"] });
  expect(reservation.ttlMs).toBe(20_000);
});

describe("a repository's own settings", () => {
  const strict = "guard:\n  policy: strict\n";
  const unknown = { paths: [], unknown: ["$OUT: redirect"] };

  it("tighten a guard by themselves, and loosen one only with the user's consent, which is recorded and shown [CORE-38]", async () => {
    await using daemon = await openScratchDaemon();
    const [heron, otter] = [await daemon.register("heron"), await daemon.register("otter")];
    await otter.client.call("reservation.acquire", { paths: ["held.ts"] });
    const edit = () => heron.client.call("guard.write", { paths: [join(daemon.repository, "held.ts")] });
    const denied = { code: "reservation.conflict" };

    writeSettings(daemon, { project: strict });
    await expect(heron.client.call("guard.write", unknown)).rejects.toMatchObject({ code: "write.unknown" });

    const loose = "guard:\n  policy: warn\n  watch: off\nreservations:\n  ttlMs: 1000\n";
    writeSettings(daemon, { project: loose });
    await expect(edit()).rejects.toMatchObject(denied);
    expect((await heron.client.call("reservation.acquire", { paths: ["own.ts"] })).reservation.ttlMs).toBe(300_000);
    const shown = await show(daemon, {});
    expect([shown["guard.policy"], shown["guard.watch"]]).toMatchObject([
      { value: "deny", origin: "default" },
      { value: "on", origin: "default" },
    ]);
    const wants = /wants guard.policy to be warn, which is looser than deny and has no effect; "sylk config trust"/;
    expect((await daemon.sylk(["config", "show"])).stderr).toMatch(wants);
    expect((await daemon.sylk(["doctor"])).stdout).toMatch(wants);

    // An agent's token cannot agree.
    const digest = "0".repeat(64);
    await expect(heron.client.call("config.trust", { path: daemon.repository, digest })).rejects.toMatchObject({
      code: "caller.denied",
    });
    await expect(daemon.user.call("config.trust", { path: daemon.repository, digest })).rejects.toMatchObject({
      message: expect.stringContaining("has changed since you looked at it"),
    });

    const trusted = await daemon.sylk(["config", "trust"]);
    expect(trusted).toMatchObject({ code: 0, stdout: expect.stringContaining("guard.policy: warn instead of deny") });
    expect((await edit()).warning).toContain("is held by otter");
    expect((await show(daemon, {}))["guard.policy"]).toMatchObject({ value: "warn", origin: "project" });
    const agreed = /You agreed to .*config.yaml, which loosens guard.policy = warn, guard.watch = off/;
    expect((await daemon.sylk(["config", "show"])).stderr).toMatch(agreed);
    expect((await daemon.sylk(["doctor"])).stdout).toContain("loosens guard.policy = warn");
    const { items } = await daemon.user.call("audit.list", { action: "config" });
    expect(items).toMatchObject([
      { action: "config.trusted", details: { loosens: ["guard.policy", "guard.watch", "reservations.ttlMs"] } },
    ]);

    // A changed file asks again, and so does the consent that was taken back.
    writeSettings(daemon, { project: `${loose}# changed\n` });
    await expect(edit()).rejects.toMatchObject(denied);
    await daemon.sylk(["config", "trust"]);
    expect((await edit()).warning).toContain("is held by otter");
    expect((await daemon.sylk(["config", "distrust"])).stdout).toContain("loosens nothing any more");
    await expect(edit()).rejects.toMatchObject(denied);
    expect((await daemon.user.call("audit.list", { action: "config" })).items).toMatchObject([
      { action: "config.distrusted" },
      { action: "config.trusted" },
      { action: "config.trusted" },
    ]);
  });

  it("that are broken open nothing: the values from before hold, else the user's own, and it is said [CORE-38]", async () => {
    await using daemon = await openScratchDaemon();
    const [heron, otter] = [await daemon.register("heron"), await daemon.register("otter")];
    await otter.client.call("reservation.acquire", { paths: ["held.ts"] });
    const folder = join(daemon.repository, ".sylk");
    const file = join(folder, "config.yaml");
    const pipes = ["pipe-1", "pipe-2"].map((name) => join(daemon.root, name));
    execFileSync("mkfifo", pipes);
    const broken: Readonly<Record<string, () => void>> = {
      "a syntax error": () => writeFileSync(file, "guard: [\n"),
      "an unknown value": () => writeFileSync(file, "guard:\n  policy: none\n"),
      "a huge file": () => writeFileSync(file, "# ".repeat(40_000)),
      "a folder": () => mkdirSync(file),
      // Made before: while another program makes it there is no file, and no values from before after a look at that.
      "a pipe": () => renameSync(pipes.pop()!, file),
      "an endless device": () => symlinkSync("/dev/zero", file),
      "a link that leads out": () => symlinkSync(daemon.paths.token, file),
      "links in a circle": () => symlinkSync("config.yaml", file),
    };
    for (const before of ["", strict])
      for (const [what, make] of Object.entries(broken)) {
        rmSync(folder, { recursive: true, force: true });
        const isStrict = before !== "";
        if (isStrict) writeSettings(daemon, { project: before });
        const write = () => heron.client.call("guard.write", unknown).then(() => "let through", codeOf);
        expect([what, await write()]).toEqual([what, isStrict ? "write.unknown" : "let through"]);
        mkdirSync(folder, { recursive: true });
        rmSync(file, { force: true });
        make();
        expect([what, await write()]).toEqual([what, isStrict ? "write.unknown" : "let through"]);
        const held = heron.client.call("guard.write", { paths: [join(daemon.repository, "held.ts")] });
        expect([what, await held.catch(codeOf)]).toEqual([what, "reservation.conflict"]);
        const start = { sessionKey: "s", client: "other", project: { path: daemon.repository } } as const;
        const { line } = await daemon.user.call("guard.start", start);
        expect([what, line]).toEqual([what, expect.stringContaining(isStrict ? "before hold" : "own settings hold")]);
        const { code, stderr } = await daemon.sylk(["config", "show"]);
        expect([what, code]).toEqual([what, 2]);
        expect(stderr).toContain(file);
        expect(stderr).not.toContain("sylk_usr_");
      }
    expect((await daemon.sylk(["doctor"])).stdout).toContain(file);
  });

  it("that are a pipe or a device keep no hook waiting without a daemon, and let no edit through [CORE-38]", async () => {
    await using daemon = await openScratchDaemon();
    expect((await daemon.sylk(["install", "claude-code", "--yes"])).code).toBe(0);
    await daemon.kill();
    const file = join(daemon.repository, ".sylk", "config.yaml");
    mkdirSync(join(daemon.repository, ".sylk"), { recursive: true });
    const session = hookClient({ session: "s-1", repository: daemon.repository, env: daemon.env });
    for (const make of [() => void execFileSync("mkfifo", [file]), () => symlinkSync("/dev/zero", file)]) {
      rmSync(file, { force: true });
      make();
      expect(await session.edit("a.ts")).toMatchObject({
        code: 2,
        stderr: expect.stringContaining("config.yaml is not a plain file"),
      });
    }
    rmSync(file, { force: true });
    expect(await session.edit("a.ts")).toMatchObject({ code: 0 });
  });
});

const codeOf = (error: unknown): string => (error as { code: string }).code;

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
