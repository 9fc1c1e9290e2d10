/**
 * Our answers against what the clients' makers publish of them: types where there are any, else the documents that come with
 * the package.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { claudeCode } from "../../src/adapters/claude-code/index.ts";
import { opencodePlugin } from "../../src/adapters/opencode/index.ts";
import { repositoryRoot } from "../flows/run-sylk.ts";
import { inClients, whatIsMissing } from "./pinned-clients.ts";

const missing = whatIsMissing();
if (missing !== undefined) throw new Error(missing);

it("answers Claude Code in the form of its SDK's types, and reads tasks as they have them [ADPT-2]", () => {
  const types = join(inClients("@anthropic-ai/claude-agent-sdk"), "sdk.d.ts");
  const answers = ["SessionStart", "PreToolUse", "Stop"].map((event) => claudeCode.tell(event, "text"));
  const base = {
    session_id: "s",
    transcript_path: "/t",
    cwd: "/w",
    task_id: "7",
    task_subject: "s",
    task_description: "d",
  };
  const task = (hook_event_name: string): string => JSON.stringify({ ...base, hook_event_name, teammate_name: "t" });
  const check = (accepted: readonly string[]): string =>
    problemsIn({
      "check.ts": `import type { SyncHookJSONOutput, TaskCompletedHookInput, TaskCreatedHookInput } from ${JSON.stringify(types.replace(/\.d\.ts$/, ".js"))};
export const answers: SyncHookJSONOutput[] = [${accepted.join(", ")}];
export const created: TaskCreatedHookInput = ${task("TaskCreated")};
export const completed: TaskCompletedHookInput = ${task("TaskCompleted")};\n`,
    });
  expect(check(answers.map(String))).toBe("");
  expect(check(['{"decision":"deny"}'])).toContain("deny");
});

it("offers opencode only what its plugins may have, as its types say [ADPT-2]", () => {
  const types = join(inClients("@opencode-ai/plugin"), "dist", "index.d.ts");
  const check = (plugin: string): string =>
    problemsIn({
      "sylk.js": plugin,
      "check.ts": `import type { Hooks } from ${JSON.stringify(types.replace(/\.d\.ts$/, ".js"))};
import { Sylk } from "./sylk.js";
type Ours = Awaited<ReturnType<typeof Sylk>>;
type Unknown = Exclude<keyof Ours, keyof Hooks>;
export const none: [Unknown] extends [never] ? true : Unknown = true;
export const fits: (ours: Ours) => Hooks = (ours) => ours;\n`,
    });
  const plugin = opencodePlugin(undefined);
  expect(check(plugin)).toBe("");
  expect(check(plugin.replace('"chat.message"', '"chat.massage"'))).toContain("chat.massage");
});

it("answers Gemini CLI by the fields that its reference names for the event [ADPT-2]", () => {
  const reference = join(inClients("@google/gemini-cli"), "bundle", "docs", "hooks", "reference.md");
  const about = (event: string): string =>
    readFileSync(reference, "utf8").split(`### \`${event}\``)[1]?.split("\n###")[0] ?? "";
  expect(about("SessionStart")).toContain("`hookSpecificOutput.additionalContext`");
  expect(about("BeforeTool")).not.toContain("additionalContext");
  for (const field of ["`stop_hook_active`", '`decision`: Set to `"deny"`', "`reason`"])
    expect(about("AfterAgent")).toContain(field);
});

function problemsIn(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), "sylk-scratch-"));
  try {
    const compilerOptions = {
      strict: true,
      noEmit: true,
      skipLibCheck: true,
      allowJs: true,
      checkJs: false,
      target: "esnext",
      module: "nodenext",
      types: ["node"],
      typeRoots: [join(repositoryRoot, "node_modules", "@types")],
    };
    writeFileSync(join(folder, "package.json"), '{"type":"module"}');
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: Object.keys(files) }));
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    const tsc = join(repositoryRoot, "node_modules", "ts7", "bin", "tsc");
    const { stdout, stderr, status } = spawnSync(process.execPath, [tsc, "-p", folder], { encoding: "utf8" });
    return status === 0 ? "" : stdout + stderr;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
