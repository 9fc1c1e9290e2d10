/** `sylk install` and `uninstall` as a person types them. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { hookClient } from "./hook-client.ts";
import { jsonOf } from "./run-sylk.ts";
import { openScratchHome, type ScratchHome } from "./scratch-home.ts";

type Plan = {
  readonly changed: boolean;
  readonly steps: readonly { readonly action: string; readonly file: string }[];
};

const settingsOf = ({ repository }: ScratchHome): string => join(repository, ".claude", "settings.local.json");

it("shows what it would change and changes nothing: in a dry run, and without a yes [DUAL-6]", async () => {
  await using scratch = openScratchHome();
  const dry = jsonOf<Plan>(await scratch.sylk(["install", "claude-code", "--dry-run", "--json"]));
  expect(dry).toMatchObject({ changed: false });
  expect(dry.steps.map(({ file }) => file)).toContain(settingsOf(scratch));
  const unanswered = await scratch.sylk(["install", "claude-code"]);
  expect(unanswered).toMatchObject({ code: 2, stderr: expect.stringContaining("add --yes") });
  expect(unanswered.stdout).toContain("the commit gate");
  expect([existsSync(settingsOf(scratch)), existsSync(scratch.paths.home)]).toEqual([false, false]);
});

it("is one command each, the second time does nothing, and leaves no trace [DUAL-6]", async () => {
  await using scratch = openScratchHome();
  mkdirSync(join(scratch.repository, ".claude"));
  const own =
    '{"permissions":{"allow":["Bash(npm test)"]},\n\t"hooks":{"Stop":[{"hooks":[{"type":"command","command":"say done"}]}]}}';
  writeFileSync(settingsOf(scratch), own);
  const status = (): string =>
    execFileSync("git", ["status", "--porcelain", "--ignored"], { cwd: scratch.repository, encoding: "utf8" });
  const before = status();
  expect(jsonOf<Plan>(await scratch.sylk(["install", "claude-code", "--yes", "--json"])).changed).toBe(true);
  expect(readFileSync(settingsOf(scratch), "utf8")).toContain(own.slice(0, 60));
  expect(jsonOf<Plan>(await scratch.sylk(["install", "claude-code", "--yes", "--json"]))).toMatchObject({ steps: [] });
  const { stdout } = await scratch.sylk(["doctor"]);
  expect(stdout).toMatch(/ok +hooks +installed in 1 settings file/);
  expect(jsonOf<Plan>(await scratch.sylk(["uninstall", "claude-code", "--yes", "--json"])).changed).toBe(true);
  expect(readFileSync(settingsOf(scratch), "utf8")).toBe(own);
  expect(status()).toBe(before);
  expect(existsSync(join(scratch.paths.home, "hooks"))).toBe(false);
});

it("starts the daemon, so that the first session after it is guarded", async () => {
  await using scratch = openScratchHome();
  const { stdout } = await scratch.sylk(["install", "claude-code", "--yes"]);
  expect(stdout).toContain("New claude-code sessions are guarded");
  const [first, second] = ["s-1", "s-2"].map((session) => hookClient({ session, ...scratch }));
  expect(await first!.edit("src/checkout.ts")).toEqual({ code: 0, stdout: "", stderr: "" });
  expect(await second!.edit("src/checkout.ts")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("is held by"),
  });
});

it("looks the usual home up at each start, so that the command is the same on every machine", async () => {
  await using scratch = openScratchHome({ env: { SYLK_HOME: "" } });
  for (const scope of ["--local", "--project", "--user"]) {
    const { code, stderr } = await scratch.sylk(["install", "claude-code", scope, "--yes"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  }
  expect((await scratch.sylk(["down"])).code).toBe(0);
  const files = [
    settingsOf(scratch),
    join(scratch.repository, ".claude", "settings.json"),
    join(scratch.env["HOME"]!, ".claude", "settings.json"),
  ];
  for (const settings of files) {
    // The shell prefix is started as a program: it is a file beside the settings, of this machine.
    const lines = readFileSync(settings, "utf8")
      .split("\n")
      .filter((line) => !line.includes("/.claude/sylk-shell"));
    expect(lines.join("\n")).not.toContain(scratch.root);
    const client = hookClient({ session: "s-1", repository: scratch.repository, env: scratch.env, settings });
    expect(await client.edit("a.ts")).toMatchObject({ code: 0, stderr: expect.stringContaining("was not guarded") });
  }
  rmSync(join(scratch.env["HOME"]!, ".sylk"), { recursive: true });
  for (const settings of files) {
    const client = hookClient({ session: "s-1", repository: scratch.repository, env: scratch.env, settings });
    expect(await client.edit("a.ts")).toEqual({ code: 0, stdout: "", stderr: "" });
  }
});

it.each([
  [
    "a client without an adapter",
    ["install", "emacs", "--yes"],
    /No adapter for the client "emacs"\. Sylk can install into: claude-code, codex, opencode, gemini/,
  ],
  [
    "a client that is spelt wrong",
    ["uninstall", "claude-cod", "--yes"],
    /No adapter for the client "claude-cod"\. Sylk can install into: .*; did you mean claude-code\?/,
  ],
  ["two places at once", ["install", "claude-code", "--user", "--local"], /one of --local, --project and --user/],
  ["no client", ["uninstall"], /<client> is missing\. For example: sylk uninstall claude-code/],
])("refuses %s with the way out", async (_what, args, message) => {
  await using scratch = openScratchHome();
  const { code, stderr } = await scratch.sylk(args);
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(message) });
});

it("refuses settings that are no JSON, names the file, and leaves everything as it was", async () => {
  await using scratch = openScratchHome();
  mkdirSync(join(scratch.repository, ".claude"));
  writeFileSync(settingsOf(scratch), "{ mine\n}");
  const { code, stderr } = await scratch.sylk(["install", "claude-code", "--yes"]);
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: expect.stringContaining(`${settingsOf(scratch)} is not valid JSON`),
  });
  expect(readFileSync(settingsOf(scratch), "utf8")).toBe("{ mine\n}");
  expect(existsSync(join(scratch.paths.home, "hooks"))).toBe(false);
});

it("does not take a git that is absent or refuses to look for a folder without a repository", async () => {
  await using scratch = openScratchHome();
  const withoutGit = await scratch.sylk(["install", "claude-code", "--yes"], { env: { PATH: scratch.root } });
  expect(withoutGit).toMatchObject({
    code: 7,
    stderr: expect.stringContaining("git is not installed or not on the PATH"),
  });
  writeFileSync(join(scratch.repository, ".git", "config"), "[core\n");
  const broken = await scratch.sylk(["install", "claude-code", "--yes"]);
  expect(broken.stderr).toMatch(/git does not look at .+bad config/);
  expect([withoutGit.stdout, broken.stdout].join("")).not.toContain("not a git repository");
  expect(existsSync(settingsOf(scratch)), "a client without its gate").toBe(false);
});

it("says in the doctor when a hook is missing or of another version, and one command mends it [HLTH-6, DUAL-13]", async () => {
  await using scratch = openScratchHome();
  await scratch.sylk(["install", "claude-code", "--yes"]);
  rmSync(join(scratch.repository, ".git", "hooks", "pre-commit"));
  writeFileSync(join(scratch.paths.home, "hooks", "sylk-hook"), "#!/bin/sh\nexit 2\n");
  writeFileSync(join(scratch.paths.home, "hooks", "sylk-client.cjs"), "exports.version = '0.0.1'\n");
  const { stdout } = await scratch.sylk(["doctor"]);
  expect(stdout).toMatch(
    /problem +hooks .*sylk-hook is not this .*sylk-client.cjs is not this version's; .*has no commit gate/,
  );
  expect(stdout).toContain("sylk upgrade");
  expect(jsonOf<Plan>(await scratch.sylk(["upgrade", "--yes", "--json"]))).toMatchObject({ changed: true });
  expect((await scratch.sylk(["doctor"])).stdout).toMatch(/ok +hooks/);
});

it("does not write through a link unseen: it says where the link leads, and follows it when it is told to", async () => {
  await using home = openScratchHome();
  const dotfiles = join(home.root, "dotfiles");
  mkdirSync(dotfiles);
  symlinkSync(dotfiles, join(home.env.HOME!, ".claude"));
  const settings = join(dotfiles, "settings.json");
  const [dry, refused] = [
    await home.sylk(["install", "claude-code", "--user", "--dry-run"]),
    await home.sylk(["install", "claude-code", "--user", "--yes"]),
  ];
  expect(dry).toMatchObject({ code: 0, stdout: expect.stringContaining(`by a link into ${settings}`) });
  expect(refused).toMatchObject({
    code: 4,
    stderr: expect.stringMatching(/leads to \S+dotfiles\S+ by a link.*--follow-links/),
  });
  expect(existsSync(settings)).toBe(false);
  expect(await home.sylk(["install", "claude-code", "--user", "--yes", "--follow-links"])).toMatchObject({ code: 0 });
  expect(readFileSync(settings, "utf8")).toContain("sylk-hook");
});
