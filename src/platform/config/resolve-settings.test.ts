import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { InvalidSettings } from "./invalid-settings.ts";
import { resolveSettings, type SettingSources } from "./resolve-settings.ts";
import { settingKeys } from "./settings.ts";
import { scratchFolder } from "./testkit.ts";

const nothing = { env: {}, flags: {} };

async function problemsOf(sources: SettingSources): Promise<InvalidSettings> {
  const error = await resolveSettings(sources).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(InvalidSettings);
  return error as InvalidSettings;
}

it("gives every setting its default, and says so, when no layer speaks [CORE-24]", async () => {
  const { settings, origins, warnings } = await resolveSettings(nothing);
  expect(settings).toMatchObject({
    "http.port": 7373,
    "log.level": "info",
    "log.maxBytes": 5_242_880,
    "work.claimTtlMs": 1_800_000,
  });
  expect(Object.keys(settings)).toEqual(settingKeys);
  expect(new Set(Object.values(origins).map(({ layer }) => layer))).toEqual(new Set(["default"]));
  expect(warnings).toEqual([]);
});

it("lets each layer override the one below and names the origin of each value [CORE-24]", async () => {
  using folder = scratchFolder();
  const userFile = folder.file(
    "user.yaml",
    "reservations:\n  ttlMs: 2000\n  maxPerAgent: 4\nwork:\n  claimTtlMs: 2000\n  maxClaimsPerAgent: 2\n",
  );
  const projectFile = folder.file(
    "project.yaml",
    "reservations:\n  maxPerAgent: 3\nwork:\n  claimTtlMs: 3000\n  maxClaimsPerAgent: 3\n",
  );
  const env = { SYLK_WORK_CLAIM_TTL_MS: "4000", SYLK_WORK_MAX_CLAIMS_PER_AGENT: "4" };
  const { settings, origins } = await resolveSettings({
    userFile,
    projectFile,
    env,
    flags: { "work.maxClaimsPerAgent": "5" },
  });
  expect(settings).toMatchObject({
    "reservations.ttlMs": 2000,
    "reservations.maxPerAgent": 3,
    "work.claimTtlMs": 4000,
    "work.maxClaimsPerAgent": 5,
  });
  expect(origins).toMatchObject({
    "http.port": { layer: "default" },
    "reservations.ttlMs": { layer: "user", where: `${userFile}:2` },
    "reservations.maxPerAgent": { layer: "project", where: `${projectFile}:2` },
    "work.claimTtlMs": { layer: "environment", where: "SYLK_WORK_CLAIM_TTL_MS" },
    "work.maxClaimsPerAgent": { layer: "flag", where: "--work-max-claims-per-agent" },
  });
});

it("reads numbers and truth from the text of variables and flags", async () => {
  const { settings } = await resolveSettings({
    env: { SYLK_HTTP_PORT: " 0 ", SYLK_HTTP_ENABLED: "FALSE" },
    flags: { "log.keep": 7, "http.enabled": undefined },
  });
  expect(settings).toMatchObject({ "http.port": 0, "http.enabled": false, "log.keep": 7 });
  expect(
    (await resolveSettings({ env: { SYLK_HTTP_ENABLED: "0" }, flags: { "http.enabled": true } })).settings[
      "http.enabled"
    ],
  ).toBe(true);
});

it("counts an empty variable as not set", async () => {
  const { origins } = await resolveSettings({ env: { SYLK_HTTP_PORT: "" }, flags: {} });
  expect(origins["http.port"]).toEqual({ layer: "default" });
});

it("collects the problems of all layers, also of values that a higher layer hides [CORE-24]", async () => {
  using folder = scratchFolder();
  const userFile = folder.file("user.yaml", "http:\n  port: 99999\n");
  const projectFile = folder.file("project.yaml", "log: { level: debug }\n");
  const error = await problemsOf({
    userFile,
    projectFile,
    env: { SYLK_HTTP_PORT: "80x" },
    flags: { "http.port": "1e3", "log.level": "info" },
  });
  expect(error.problems.map(({ where }) => where)).toEqual([
    `${userFile}:2:9`,
    `${projectFile}:1:8`,
    "SYLK_HTTP_PORT",
    "--http-port",
  ]);
  expect(error.message.split("\n")[2]).toBe(
    'SYLK_HTTP_PORT: http.port must be a whole number from 0 to 65535, not "80x"',
  );
  expect(error.problems.every(({ allowed }) => allowed !== "")).toBe(true);
});

it("refuses numbers that are only nearly whole, and a flag that is no setting", async () => {
  for (const text of ["1.5", "0x50", "1e3", "1_000", "NaN", "9007199254740993", "-1"])
    await problemsOf({ env: { SYLK_HTTP_PORT: text }, flags: {} });
  const flags = { "http.prot": "1" } as SettingSources["flags"];
  expect((await problemsOf({ env: {}, flags })).message).toBe(
    'flags: unknown setting "http.prot"; did you mean http.port?',
  );
});

it("warns of SYLK_ variables that are no setting, except the known ones", async () => {
  const env = { SYLK_HTP_PORT: "1", SYLK_HOME: "/h", SYLK_TOKEN: "t", SYLK_DATABASE_URL: "d", PATH: "/bin" };
  const { warnings } = await resolveSettings({ env, flags: {} });
  expect(warnings).toEqual([
    {
      where: "SYLK_HTP_PORT",
      message: "SYLK_HTP_PORT is not a setting and has no effect; did you mean SYLK_HTTP_PORT?",
    },
  ]);
  expect((await resolveSettings({ env, flags: {}, otherVariables: /^SYLK_/ })).warnings).toEqual([]);
});

it("leaves the result unchangeable", async () => {
  const { settings, origins } = await resolveSettings(nothing);
  expect(Object.isFrozen(settings) && Object.isFrozen(origins)).toBe(true);
});

it("loads the yaml library only when a file exists", () => {
  const door = fileURLToPath(new URL("./index.ts", import.meta.url));
  const script = `
    const { resolveSettings } = await import(${JSON.stringify(door)});
    const { createRequire } = await import("node:module");
    const loaded = () => Object.keys(createRequire(import.meta.url).cache).some((path) => path.includes("/node_modules/yaml/"));
    await resolveSettings({ userFile: "/nowhere/config.yaml", env: {}, flags: {} });
    const before = loaded();
    await resolveSettings({ userFile: "/dev/null/x", env: {}, flags: {} }).catch(() => {});
    await resolveSettings({ userFile: process.argv[1], env: {}, flags: {} }).catch(() => {});
    console.log(before, loaded());`;
  using folder = scratchFolder();
  const output = execFileSync(process.execPath, ["--input-type=module", "-e", script, folder.file("config.yaml", "")], {
    encoding: "utf8",
  });
  expect(output.trim()).toBe("false true");
});
