/**
 * Steps that do nothing, by the durable engines of others, each with the SQLite store it brings along; from the folder they
 * were installed into. What is compared is processor time per step, in a process of its own.
 */
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

export type StepsPlan = {
  readonly peer: "LangGraph.js with SqliteSaver" | "Mastra with LibSQL";
  readonly folder: string;
  readonly shape: "chain" | "fan-out";
  readonly size: number;
};

type Graph = {
  addNode(name: string, step: () => Promise<object>): Graph;
  addEdge(from: string, to: string): Graph;
  compile(options: object): { invoke(input: object, options: object): Promise<{ readonly done: number }> };
};
type LangGraph = {
  readonly StateGraph: new (state: unknown) => Graph;
  readonly Annotation: ((channel: object) => unknown) & { Root(channels: object): unknown };
  readonly START: string;
  readonly END: string;
};
type Workflow = {
  then(step: unknown): Workflow;
  parallel(steps: readonly unknown[]): Workflow;
  commit(): Workflow;
  createRun(): Promise<{ start(input: object): Promise<{ readonly status: string }> }>;
};
type Mastra = {
  readonly createWorkflow: (terms: object) => Workflow;
  readonly createStep: (terms: object) => unknown;
};

/** Microseconds of processor time per step. */
export async function peerSteps(plan: StepsPlan): Promise<{ readonly micros: number }> {
  const run = await (plan.peer === "Mastra with LibSQL" ? mastra(plan) : langGraph(plan));
  await run(); // to warm up, as ours are
  const before = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(before);
  return { micros: (user + system) / plan.size };
}

async function langGraph({ folder, shape, size }: StepsPlan): Promise<() => Promise<void>> {
  const { StateGraph, Annotation, START, END } = await load<LangGraph>(folder, "@langchain/langgraph");
  const { SqliteSaver } = await load<{ readonly SqliteSaver: { fromConnString(file: string): unknown } }>(
    folder,
    "@langchain/langgraph-checkpoint-sqlite",
  );
  const done = Annotation({ reducer: (one: number, other: number) => one + other, default: () => 0 });
  let graph = new StateGraph(Annotation.Root({ done }));
  for (let step = 0; step < size; step++) graph = graph.addNode(`n${step}`, async () => ({ done: 1 }));
  graph.addEdge(START, "n0");
  for (let step = 1; step < size; step++) graph.addEdge(shape === "chain" ? `n${step - 1}` : "n0", `n${step}`);
  if (shape === "chain") graph.addEdge(`n${size - 1}`, END);
  const app = graph.compile({ checkpointer: SqliteSaver.fromConnString(join(folder, `langgraph-${process.pid}.db`)) });
  return async () => {
    const configurable = { thread_id: crypto.randomUUID() };
    const options = { configurable, recursionLimit: size + 10, maxConcurrency: 50 };
    const { done: steps } = await app.invoke({}, options);
    if (steps !== size) throw new Error(`LangGraph.js did ${steps} of ${size} steps`);
  };
}

async function mastra({ folder, shape, size }: StepsPlan): Promise<() => Promise<void>> {
  const { createWorkflow, createStep } = await load<Mastra>(folder, "@mastra/core/workflows");
  const { Mastra: Host } = await load<{
    readonly Mastra: new (terms: object) => { getWorkflow(name: string): Workflow };
  }>(folder, "@mastra/core");
  const { LibSQLStore } = await load<{ readonly LibSQLStore: new (terms: object) => unknown }>(
    folder,
    "@mastra/libsql",
  );
  const { z } = await load<{ readonly z: { object(fields: object): unknown; number(): unknown; any(): unknown } }>(
    folder,
    "zod",
  );
  const data = z.object({ done: z.number() });
  const step = (number: number): unknown =>
    createStep({ id: `n${number}`, inputSchema: data, outputSchema: data, execute: async () => ({ done: 1 }) });
  let steps = createWorkflow({ id: "steps", inputSchema: data, outputSchema: z.any() });
  if (shape === "chain") for (let number = 0; number < size; number++) steps = steps.then(step(number));
  else steps = steps.then(step(0)).parallel(Array.from({ length: size - 1 }, (_, number) => step(number + 1)));
  steps.commit();
  const storage = new LibSQLStore({ id: "store", url: `file:${join(folder, `mastra-${process.pid}.db`)}` });
  const workflow = new Host({ logger: false, workflows: { steps }, storage }).getWorkflow("steps");
  return async () => {
    const run = await workflow.createRun();
    const { status } = await run.start({ inputData: { done: 0 } });
    if (status !== "success") throw new Error(`Mastra ended with ${status}`);
  };
}

async function load<Module>(folder: string, name: string): Promise<Module> {
  const entry = createRequire(join(folder, "package.json")).resolve(name);
  return (await import(pathToFileURL(entry).href)) as Module;
}
