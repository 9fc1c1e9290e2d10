/** The parent's side of the child table: start, wait, read the result; or keep it running until disposed. */
import { spawn, type ChildProcess } from "node:child_process";
import { join } from "node:path";
import type { ChildName, PlanOf, ResultOf } from "../child-table.ts";
import { benchEnv } from "./scratch-home.ts";

const entry = join(import.meta.dirname, "..", "run.ts");

export async function runChild<Name extends ChildName>(name: Name, plan: PlanOf<Name>): Promise<ResultOf<Name>> {
  const child = start(name, plan);
  let output = "";
  child.stdout?.setEncoding("utf8").on("data", (text: string) => (output += text));
  const code = await exitOf(child);
  if (code !== 0) throw new Error(`the process "${name}" ended with ${code}`);
  return JSON.parse(output) as ResultOf<Name>;
}

/** For servers: resolves at once; the caller asks the address until it answers. */
export function keepChild<Name extends ChildName>(name: Name, plan: PlanOf<Name>): AsyncDisposable {
  const child = start(name, plan);
  const gone = exitOf(child);
  return {
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      await gone;
    },
  };
}

function start(name: ChildName, plan: unknown): ChildProcess {
  return spawn(process.execPath, [entry, "--child", name, JSON.stringify(plan)], {
    stdio: ["ignore", "pipe", "inherit"],
    env: benchEnv({}),
  });
}

export function exitOf(child: ChildProcess): Promise<number | string> {
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => resolve(code ?? signal ?? "no exit code"));
  });
}
