/** `sylk dag …`: graphs of commands and prompts, run in parallel by the daemon, before your eyes or behind your back. */
import { basename, resolve } from "node:path";
import { invalidInput } from "../../../contract/errors.ts";
import type { Dag, DagId, RawInputOf } from "../../../contract/index.ts";
import { systemClock } from "../../../platform/clock/index.ts";
import { carriedEnvironment } from "../carried-environment.ts";
import { focusedSession } from "../focused-session.ts";
import type { CommandContext, WrittenCommand } from "../command.ts";
import { adjustCommand } from "../dag/adjust-command.ts";
import { followDag, isResting } from "../dag/follow-dag.ts";
import { createLiveDag } from "../dag/live-dag.ts";
import { type FindProblems, readDagFile } from "../dag/read-dag-file.ts";
import { headLine, nodeLines, resultLines } from "../dag/render-dag.ts";
import { newestDag } from "../newest.ts";
import { operationCommand } from "../operation-command.ts";
import { idOrNewest, resolveId } from "../resolve-id.ts";
import type { Output } from "../output.ts";
import { printable, printableText } from "../printable.ts";
import { ago, approving, counted, keepsRunning, titleLine } from "../wording.ts";

const exampleId = "dag_01jd8q3m7k4x9t2v5b8n1c";
const fileFields = ["name", "mode", "policy", "nodes", "provider"];
const clock = systemClock();

export const run: WrittenCommand = {
  operation: "dag.run",
  example: "sylk dag run checks.yaml",
  details:
    "The file is YAML or JSON: nodes by name, each with run or prompt, and dependsOn. With --json every event is a line, and the run itself is the last line. Exit code 0 when all nodes succeeded, 5 when not, 4 when it waits for an answer. Ctrl-C leaves it running.",
  arguments: [{ name: "file", describe: "The graph, as YAML or JSON", required: true }],
  flags: {
    detach: { describe: "start it and return immediately", short: "d" },
    "max-concurrency": { describe: "most nodes that run at the same time", value: "number" },
    "keep-going": { describe: "a failure only skips the nodes that depend on it", short: "k" },
    name: { describe: "name of the run (default: the file's name)", value: "text" },
    session: { describe: "session to run in (default: your current one, or a new one)", value: "id" },
    provider: { describe: "configured provider for prompts", value: "name" },
    rehearse: { describe: "a scripted model plays this scenario instead of a real model", value: "scenario" },
  },
  async run(context) {
    const { dag } = await start(context);
    const isFollowed = context.flags.detach !== true;
    if (isFollowed && !context.json) context.out.line(titleLine(dag.name, dag.id, context.out));
    if (isFollowed) return follow(dag.id, context);
    if (context.json) return context.out.json({ dag });
    context.out.line(`${dag.id} runs; watch it: sylk dag watch ${dag.id}`);
  },
};

async function start({ args, flags, cwd, env, connect, out, json }: CommandContext): Promise<{ readonly dag: Dag }> {
  const { path, file } = await readGraph({ args, cwd, connect });
  const text = (name: string): string | undefined => (typeof flags[name] === "string" ? flags[name] : undefined);
  const limit = text("max-concurrency");
  const policy = {
    ...(file.value.policy as object | undefined),
    ...(limit === undefined ? {} : { maxConcurrency: wholeNumber("--max-concurrency", limit) }),
    ...(flags["keep-going"] === true ? { failFast: false } : {}),
  };
  const client = await connect();
  const named = text("session");
  const session =
    named === undefined ? await focusedSession(client) : await resolveId(named, ["ses"], "--session", client);
  if (named === undefined && session !== undefined && !json) out.note(`in your current session: ${session}`);
  const given = {
    name: text("name") ?? file.value.name ?? basename(path),
    session,
    provider: text("provider") ?? file.value.provider,
    rehearse: text("rehearse") === undefined ? undefined : resolve(cwd, text("rehearse")!),
  };
  const input = {
    ...file.value,
    ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
    ...(Object.keys(policy).length === 0 ? {} : { policy }),
    project: { path: cwd },
    environment: carriedEnvironment(env),
  };
  try {
    return await client.call("dag.run", input as RawInputOf<"dag.run">);
  } catch (error) {
    throw await file.placed(error);
  }
}

async function readGraph({ args, cwd, connect }: Pick<CommandContext, "args" | "cwd" | "connect">) {
  const path = resolve(cwd, String(args[0]));
  const findProblems: FindProblems = async (graph) => (await (await connect()).call("dag.check", { graph })).problems;
  return { path, file: await readDagFile(path, fileFields, findProblems) };
}

export const check: WrittenCommand = {
  operation: "dag.check",
  example: "sylk dag check checks.yaml",
  details: 'Nothing is started. Exit code 0 when "sylk dag run" takes the file, 2 when it has problems.',
  arguments: [{ name: "file", describe: "The graph, as YAML or JSON", required: true }],
  async run(context) {
    const { path, file } = await readGraph(context);
    await file.check();
    const nodes = Object.keys(file.value.nodes ?? {}).length;
    if (context.json) return context.out.json({ nodes, problems: [] });
    context.out.line(`${basename(path)} has no problems: ${counted(nodes, "node")}`);
  },
};

/** Said here, because the daemon would speak of the file. */
function wholeNumber(flag: string, text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  const message = `must be a whole number of at least 1, not ${JSON.stringify(text)}`;
  throw invalidInput(flag, message, { sentence: `${flag} ${message}` });
}

export const watch: WrittenCommand = {
  summary: "Watch a DAG run until it ends or waits for an answer",
  example: `sylk dag watch ${exampleId}`,
  details: "Ctrl-C leaves it running. Exit code 0 when all nodes succeeded, 5 when not, 4 when it waits for an answer.",
  arguments: [{ name: "id", describe: "DAG run id (default: the newest DAG run)" }],
  async run(context) {
    const id = await idOrNewest(context.args[0] as string | undefined, ["dag"], newestDag(""), context);
    return follow(id as DagId, context);
  },
};

async function follow(id: DagId, context: CommandContext): Promise<number> {
  const { out, json } = context;
  const live = createLiveDag(out, process.stdout, clock);
  let last: Dag | undefined;
  try {
    for await (const { dag, event } of followDag(id, context)) {
      last = dag;
      if (!json) live.show(printable(dag));
      else if (event !== undefined) out.jsonLine(event);
    }
  } finally {
    live.end();
  }
  if (last === undefined || !isResting(last)) {
    if (!json) out.note(keepsRunning(id));
    return 130;
  }
  if (json) out.jsonLine({ dag: last });
  else for (const line of resultLines(printable(last), out)) out.line(line);
  return last.status === "succeeded" ? 0 : last.status === "waiting" || last.status === "paused" ? 4 : 5;
}

export const show = operationCommand("dag.show", {
  fields: ["id"],
  newest: newestDag(""),
  print({ dag }, out) {
    out.line(titleLine(dag.name, dag.id, out));
    print(dag, out);
    for (const { output } of dag.nodes) if (output !== undefined) out.line(printableText(output, true).trimEnd());
  },
});

export const list = operationCommand("dag.list", {
  print({ items }, out) {
    if (items.length === 0) return out.line('No DAG runs here yet; "sylk dag run" starts one');
    out.table(
      ["run", "status", "nodes", "when", "name"],
      items.map(({ id, status, progress, createdAt, name }) => [
        id,
        status,
        `${progress.done}/${progress.total}`,
        ago(createdAt),
        name,
      ]),
    );
  },
});

const byId = { fields: ["id"], print: ({ dag }: { readonly dag: Dag }, out: Output) => print(dag, out) } as const;
const byNode = { ...byId, fields: ["id", "node"] } as const;

export const cancel = operationCommand("dag.cancel", {
  ...byId,
});
export const pause = operationCommand("dag.pause", {
  ...byId,
  newest: newestDag("that is running", ({ status }) => status === "running"),
});
export const resume = operationCommand("dag.resume", {
  ...byId,
  newest: newestDag("that is paused", ({ status }) => status === "paused"),
});
export const retry = operationCommand("dag.retry", {
  ...byNode,
});
export const skip = operationCommand("dag.skip", {
  ...byNode,
});
export const answer = operationCommand("dag.answer", {
  ...byNode,
  details: approving,
  fields: ["id", "node", "decision"],
});

export const adjust = adjustCommand("dag.adjust", byId, exampleId);

function print(dag: Dag, out: Output): void {
  out.line(headLine(dag, clock.now(), out));
  for (const line of nodeLines(dag, clock.now(), out)) out.line(line);
}
