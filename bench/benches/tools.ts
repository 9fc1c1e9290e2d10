/** How long a project's tools take to find: the first question, a new scan, and an answer that is remembered. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Bench, Figure } from "../bench.ts";
import { type Daemon, upDaemon } from "../processes/daemon.ts";
import { runChild } from "../processes/run-child.ts";
import { scratchFolder } from "../processes/scratch-home.ts";
import { percentile } from "../statistics.ts";

const files = 5_000;
const projects = 20;
const warmUp = 100;
const measured = 400;
const mostColdMs = 200;
const mostCachedMs = 5;

export const tools: Bench = {
  name: "tools",
  method: `GET /v1/tools for all five categories over loopback TCP by one sequential client in another process. Cold: the first questions that a daemon gets, about ${projects} small projects and then one of ${files.toLocaleString("en")} files, each unseen before; again: the large one scanned anew 40 times; remembered: ${measured} calls after ${warmUp} to warm up, with the same number of GET /healthz as the floor.`,
  async run() {
    using scratch = scratchFolder();
    const large = makeProject(join(scratch.path, "large"), files);
    const small = Array.from({ length: projects }, (_, index) => makeProject(join(scratch.path, `small-${index}`), 40));
    await using daemon = await upDaemon(join(scratch.path, "home"));
    const first = await ask(daemon, small.map(pathOf));
    const cold = await ask(daemon, [pathOf(large)]);
    const again = await ask(daemon, Array<string>(40).fill(`${pathOf(large)}&refresh=true`));
    const kept = await ask(daemon, Array<string>(warmUp + measured).fill(pathOf(large)), warmUp);
    const healthz = await ask(daemon, Array<string>(warmUp + measured).fill("/healthz"), warmUp);
    const floor = { what: "/healthz, p99", value: percentile(healthz, 99), unit: "ms" } as const;
    return [
      figure(`small project, cold, slowest of ${projects}`, Math.max(...first), mostColdMs),
      figure(`${files.toLocaleString("en")} files, cold`, cold[0]!, mostColdMs),
      figure(`${files.toLocaleString("en")} files, scanned again, p95`, percentile(again, 95), mostColdMs),
      { ...figure("remembered, p99", percentile(kept, 99), mostCachedMs), floor },
    ];
  },
};

function ask({ tcp, userToken: token }: Daemon, paths: readonly string[], leaveOut = 0): Promise<readonly number[]> {
  const { port } = tcp as { readonly port: number };
  return runChild("http-gets", { port, warmUp: leaveOut, gets: paths.map((path) => ({ path, token })) });
}

function pathOf(folder: string): string {
  return `/v1/tools?path=${encodeURIComponent(folder)}`;
}

function makeProject(folder: string, count: number): string {
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  write(".git/HEAD", "ref: refs/heads/main\n");
  write("package.json", '{ "devDependencies": { "eslint": "^9.0.0", "vitest": "^5.0.0" } }\n');
  write("pyproject.toml", "[tool.ruff]\n[tool.pytest.ini_options]\n");
  write("Makefile", "test:\n\tpytest\n");
  write(".github/workflows/ci.yml", "jobs:\n  a:\n    steps:\n      - run: npx eslint .\n");
  for (let index = 0; index < count; index++)
    write(`src/part-${index % 200}/file-${index}.${index % 3 === 0 ? "py" : "ts"}`, "");
  return folder;
}

function figure(what: string, value: number, mostMs: number): Figure {
  return { what, value, unit: "ms", rounds: [], target: { text: `< ${mostMs} ms`, met: value < mostMs } };
}
