/** Claude Code's hooks as it runs them: the command from the settings file, its JSON on standard input, a real daemon. */
import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";
import { hookClient } from "./hook-client.ts";
import { openScratchDaemon } from "./scratch-daemon.ts";

it("installs, guards an edit, and denies the same file to another session with who and how long [RSV-6, ADPT-2]", async () => {
  await using daemon = await openScratchDaemon();
  const installed = await daemon.sylk(["install", "claude-code", "--yes"]);
  expect(installed).toMatchObject({ code: 0, stderr: "" });
  const one = hookClient({ session: "s-1", repository: daemon.repository, env: daemon.env });
  const two = hookClient({ session: "s-2", repository: daemon.repository, env: daemon.env });
  expect((await one.start()).stdout).toContain("No other agents here");
  expect(await one.edit("src/checkout.ts")).toEqual({ code: 0, stdout: "", stderr: "" });
  expect(await one.edit("src/checkout.ts")).toEqual({ code: 0, stdout: "", stderr: "" });
  const { items } = await daemon.user.call("reservation.list", {});
  expect(items).toMatchObject([{ paths: ["src/checkout.ts"], mode: "exclusive" }]);
  const denied = await two.edit("src/checkout.ts");
  expect(denied).toMatchObject({ code: 2, stdout: "" });
  expect(denied.stderr).toMatch(/"src\/checkout.ts" is held by \w+ \(claude-code, active .*\) for \d+ .* more/);
  expect(denied.stderr).toContain(`sylk negotiate ${items[0]!.id}`);
  expect(execFileSync("git", ["status", "--porcelain"], { cwd: daemon.repository, encoding: "utf8" })).toBe("");
});
