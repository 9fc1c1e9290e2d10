import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { scratchFolder } from "../../platform/store/testkit.ts";
import { createNodeFiles, nodeOutputLimit } from "./node-files.ts";
import { playedCommands, scratchDags } from "./testkit.ts";

const attempt = { dag: "dag_1", node: "build", attempt: 2 };
const input = { session: { name: "Release" }, parents: {}, omitted: [] };

it("gives the input in a file of its own, reads what was left, and removes both", async () => {
  using folder = scratchFolder();
  const files = createNodeFiles(join(folder.path, "nodes"));
  const { env, output, close } = await files.open(attempt, input);
  expect(JSON.parse(readFileSync(env.SYLK_DAG_INPUT, "utf8"))).toEqual(input);
  expect(statSync(env.SYLK_DAG_INPUT).mode & 0o777).toBe(0o600);
  expect(await output()).toEqual({});
  const left = { context: { port: 80 }, artifacts: { report: { path: "out" } } };
  writeFileSync(env.SYLK_DAG_OUTPUT, JSON.stringify(left));
  expect(await output()).toEqual(left);
  await close();
  expect(readdirSync(join(folder.path, "nodes"))).toEqual([]);
});

it.each([
  ["{", "it is not JSON"],
  ["[]", "expected object"],
  ['{"artefacts":{}}', "artefacts"],
  ['{"context":{"":1}}', "context."],
  [`{"context":{"a":"${"x".repeat(nodeOutputLimit)}"}}`, `the limit is ${nodeOutputLimit}`],
])("fails the node as permanent for an output like %.20s", async (text, problem) => {
  using folder = scratchFolder();
  const { env, output } = await createNodeFiles(folder.path).open(attempt, input);
  writeFileSync(env.SYLK_DAG_OUTPUT, text);
  await expect(output()).rejects.toMatchObject({
    error: { class: "permanent", message: expect.stringContaining(problem) as string },
  });
});

it("reads no link and no folder in the place of an output, and removes them", async () => {
  using folder = scratchFolder();
  const { env, output, close } = await createNodeFiles(folder.path).open(attempt, input);
  symlinkSync("/etc/hosts", env.SYLK_DAG_OUTPUT);
  await expect(output()).rejects.toThrow("it cannot be read");
  await close();
  mkdirSync(env.SYLK_DAG_OUTPUT);
  await expect(output()).rejects.toThrow("it is not a file");
  await close();
  expect(readdirSync(folder.path)).toEqual([]);
});

it("removes what an earlier daemon left", async () => {
  using folder = scratchFolder();
  const files = createNodeFiles(join(folder.path, "nodes"));
  await files.open(attempt, input);
  await files.removeLeftovers();
  expect(readdirSync(folder.path)).toEqual([]);
});

it("takes what a command gives to its dependents through the store, without secrets, and removes the files", async () => {
  using at = scratchDags();
  using folder = scratchFolder();
  const dag = await at.add({ build: { run: ["a"] }, ship: { run: ["b"], dependsOn: ["build"] } });
  const seen: unknown[] = [];
  const host = at.host(
    playedCommands(async ({ node, request: { env } }) => {
      seen.push(JSON.parse(readFileSync(env.SYLK_DAG_INPUT ?? "", "utf8")));
      const left = { context: { port: 80 }, artifacts: { report: "key hush-hush" } };
      if (node === "build") writeFileSync(env.SYLK_DAG_OUTPUT ?? "", JSON.stringify(left));
      return { output: `${node} done` };
    }),
    {
      files: createNodeFiles(folder.path),
      sessionContext: async () => ({ branch: "main" }),
      clean: (value) => JSON.parse(JSON.stringify(value ?? null).replaceAll("hush-hush", "[redacted]")) as typeof value,
    },
  );
  await host.launch(dag.id);
  await host.over(dag.id);
  const parent = { exitCode: 0, text: "build done", context: { port: 80 }, artifacts: { report: "key [redacted]" } };
  expect(seen).toEqual([
    { session: { branch: "main" }, parents: {}, omitted: [] },
    { session: { branch: "main" }, parents: { build: parent }, omitted: [] },
  ]);
  expect([await at.statusOf(dag.id), readdirSync(folder.path)]).toEqual(["succeeded", []]);
});
