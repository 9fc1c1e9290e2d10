/** Runs a JavaScript tool with this Node in a folder and collects what it prints. */
import { spawn } from "node:child_process";

/** Far above what any tool needs on a busy machine; a tool that hangs must still fail. */
const TIMEOUT_MS = 1_200_000;

type ToolRun = { status: number | string; stdout: string; output: string };

export function runTool(root: string, args: readonly string[]): Promise<ToolRun> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, {
      cwd: root,
      stdio: ["ignore", "pipe", "pipe"],
      timeout: TIMEOUT_MS,
      env: { ...process.env, NO_COLOR: "1" },
    });
    let stdout = "";
    let output = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      stdout += text;
      output += text;
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => (output += text));
    child.on("error", reject);
    child.on("close", (code, signal) => resolve({ status: code ?? signal ?? "no exit code", stdout, output }));
  });
}
