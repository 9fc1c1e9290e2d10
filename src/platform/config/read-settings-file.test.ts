import { execFileSync } from "node:child_process";
import { chmodSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { readSettingsFile } from "./read-settings-file.ts";
import type { SettingScope } from "./settings.ts";
import { scratchFolder } from "./testkit.ts";

/** Values as an object; problems as `line:column: message`. */
async function read(text: string | Uint8Array, scope: SettingScope = "daemon") {
  using folder = scratchFolder();
  const file = folder.file("config.yaml", text);
  const { values, problems } = await readSettingsFile(file, scope);
  return {
    values: Object.fromEntries(
      [...values].map(([key, { value, where }]) => [key, [value, where.replace(`${file}:`, "")]]),
    ),
    problems: problems.map(({ where, message }) => `${where}: ${message}`.replace(`${file}:`, "")),
    raw: problems,
  };
}

it("reads nested maps and remembers the line of each value [CORE-24]", async () => {
  const { values, problems } = await read("# mine\nhttp:\n  port: 8080\n  enabled: false\nlog: { level: debug }\n");
  expect(problems).toEqual([]);
  expect(values).toEqual({ "http.port": [8080, "3"], "http.enabled": [false, "4"], "log.level": ["debug", "5"] });
});

it("treats a missing or empty file and an empty group as no settings", async () => {
  using folder = scratchFolder();
  const missing = await readSettingsFile(join(folder.path, "none.yaml"), "daemon");
  expect([missing.values.size, missing.problems.length]).toEqual([0, 0]);
  for (const text of ["", "# nothing\n", "---\n", "http:\n  # port: 1\n"])
    expect(await read(text)).toMatchObject({ values: {}, problems: [] });
});

it("names line, column and what is allowed for a wrong value [CORE-24]", async () => {
  const { problems, raw } = await read("http:\n  port: abc\n");
  expect(problems).toEqual(['2:9: http.port must be a whole number from 0 to 65535, not "abc"']);
  expect(raw[0]).toMatchObject({ key: "http.port", allowed: "a whole number from 0 to 65535" });
});

it("reports every problem of the file at once, in reading order [CORE-24]", async () => {
  const text = [
    "http:",
    "  prot: 1",
    "  port: 65536",
    "  enabled: yes",
    "log:",
    "  level: loud",
    "  keep: 2.5",
    "htp: {}",
    "events:",
    "  maxCount:",
    "work: 3",
  ];
  const { problems } = await read(text.join("\n"));
  expect(problems).toEqual([
    '2:3: unknown setting "http.prot"; did you mean http.port?',
    "3:9: http.port must be a whole number from 0 to 65535, not 65536",
    '4:12: http.enabled must be true or false, not "yes"',
    '6:10: log.level must be one of debug, info, warn, error, not "loud"',
    "7:9: log.keep must be a whole number from 1 to 20, not 2.5",
    '8:1: unknown setting "htp"; did you mean http?',
    "10:3: events.maxCount must be a whole number of at least 1000, not empty",
    "11:7: work must be a map of settings, not 3",
  ]);
});

it("reports syntax errors together with the wrong values before them, and guesses at nothing behind [CORE-24]", async () => {
  const { problems } = await read("log:\n  level: 7\nhttp: port: 80\nwork:\n  claimTtlMs: 5000\n");
  expect(problems).toEqual([
    "2:10: log.level must be one of debug, info, warn, error, not 7",
    "3:7: Nested mappings are not allowed in compact mappings",
  ]);
  expect((await read('http:\n  port: "8080\nlog:\n  level: 7\n')).problems.at(-1)).toMatch(
    /^\d+:\d+: Missing closing "quote/,
  );
});

it("says how to write a dotted key, and that a name stands twice", async () => {
  const { problems } = await read("http.port: 80\nlog:\n  keep: 2\n  keep: 3\n");
  expect(problems).toEqual([
    "1:1: http.port must be nested: http: { port: … }",
    '4:3: "log.keep" appears here a second time',
  ]);
});

it("refuses a daemon setting in a project's file and says where it belongs [CORE-24]", async () => {
  const { values, problems } = await read("reservations:\n  ttlMs: 60000\nhttp:\n  port: 80\n", "project");
  expect(Object.keys(values)).toEqual(["reservations.ttlMs"]);
  expect(problems).toEqual([
    "4:3: http.port is a setting of the daemon, and a repository's file is not trusted with it; set it in your own config file, by SYLK_HTTP_PORT or by --http-port",
  ]);
});

it("refuses aliases, so no bomb and no cycle is ever followed", async () => {
  const bomb = [
    "a: &a [x, x]",
    ...Array.from({ length: 30 }, (_, n) => `a${n}: &a${n} [*a${n || ""}, *a${n || ""}]`),
  ].join("\n");
  expect((await read(bomb)).problems.length).toBeGreaterThan(0);
  const { problems } = await read("http: &h\n  port: &p 80\nlog: *h\nwork:\n  claimTtlMs: *p\n");
  expect(problems).toEqual([
    "3:6: log must be a map of settings, not an alias",
    "5:15: work.claimTtlMs must be a whole number from 1000 to 86400000, not an alias",
  ]);
});

it("answers quickly and briefly for a file of nothing but wrong keys", async () => {
  const many = Array.from({ length: 3_000 }, (_, n) => `k${n}: 1`).join("\n");
  const { problems } = await read(many);
  expect(problems.length).toBe(21);
  expect(problems.at(-1)).toContain("and 2980 more problems");
});

it("refuses deep nesting, several documents and keys that are no text", async () => {
  expect((await read(`http: ${"[".repeat(20_000)}`)).problems[0]).toContain("nested too deeply");
  expect((await read("http: {}\n---\nlog: {}\n")).problems[0]).toContain("several documents");
  expect((await read("? [a]\n: 1\n")).problems[0]).toContain("plain text");
  expect((await read("- http\n")).problems).toEqual(["1:1: the file must be a map of settings, not a list"]);
  expect((await read("__proto__: { x: 1 }\nconstructor: 1\n")).problems.length).toBe(2);
});

it("refuses a file that is too large, no text, no file or not readable, and names it", async () => {
  using folder = scratchFolder();
  const reason = async (file: string) =>
    (await readSettingsFile(file, "daemon")).problems.map(({ where, message }) => [where === file, message]);
  expect(await reason(folder.file("big.yaml", "#".repeat(32 * 1024 + 1)))).toEqual([[true, "is larger than 32 KB"]]);
  expect(await reason(folder.file("binary.yaml", new Uint8Array([0xff, 0xfe, 0x00])))).toEqual([
    [true, "is not UTF-8 text"],
  ]);
  expect(await reason(folder.path)).toEqual([[true, "is not a regular file"]]);
  expect(await reason(join(folder.file("flat", ""), "config.yaml"))).toEqual([[true, "cannot be read: ENOTDIR"]]);
  execFileSync("mkfifo", [join(folder.path, "pipe")]);
  expect(await reason(join(folder.path, "pipe"))).toEqual([[true, "is not a regular file"]]);
});

it("says so when the user may not read the file", async ({ skip }) => {
  skip(process.getuid?.() === 0, "root may read every file");
  using folder = scratchFolder();
  const file = folder.file("secret.yaml", "http: {}");
  chmodSync(file, 0o000);
  expect((await readSettingsFile(file, "daemon")).problems[0]?.message).toBe("may not be read by this user");
});

it("reads a file that starts with a byte order mark and ends lines in CRLF", async () => {
  const { values, problems } = await read("\uFEFFhttp:\r\n  port: 80\r\n");
  expect([values, problems]).toEqual([{ "http.port": [80, "2"] }, []]);
});
