/** Against real processes: only the kernel knows who runs. */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { afterEach, expect, it } from "vitest";
import { goneAmong, startTimeOf } from "./process-identity.ts";

const started: ChildProcess[] = [];
afterEach(() => started.splice(0).forEach((child) => child.kill("SIGKILL")));

async function idle(): Promise<{ readonly pid: number; readonly start: string; readonly child: ChildProcess }> {
  const child = spawn(process.execPath, ["-e", "process.stdout.write('up'); setInterval(() => {}, 1e6)"], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  started.push(child);
  await once(child.stdout, "data");
  return { pid: child.pid!, start: (await startTimeOf(child.pid!))!, child };
}

it("tells those that run no more from those that do, and a later process from the one that had its pid [IDN-5]", async () => {
  const [alive, dead] = [await idle(), await idle()];
  const impostor = { ...alive, start: "the start of somebody before" };
  expect(await goneAmong([alive, dead])).toEqual([]);
  dead.child.kill("SIGKILL");
  await once(dead.child, "exit");
  expect(await goneAmong([alive, dead, impostor])).toEqual([dead, impostor]);
  expect(await goneAmong([])).toEqual([]);
});

it("takes one that was killed and not yet fetched by its parent for gone [IDN-5]", async () => {
  // The shell stands still and fetches nobody.
  const shell = spawn("sh", ["-c", "sleep 60 & echo $!; kill -STOP $$"], { stdio: ["ignore", "pipe", "ignore"] });
  started.push(shell);
  const [line] = (await once(shell.stdout, "data")) as [Buffer];
  const pid = Number(line.toString());
  const start = (await startTimeOf(pid))!;
  expect(await goneAmong([{ pid, start }])).toEqual([]);
  process.kill(pid, "SIGKILL");
  let gone: readonly unknown[] = [];
  for (let looks = 0; looks < 1_000 && gone.length === 0; looks++) gone = await goneAmong([{ pid, start }]);
  expect(gone).toHaveLength(1);
});
