/** A graph of commands that waits for a person in the middle, and a question that the Guide takes to who can answer it. */
import type { Dag, LogEvent } from "../../../contract/index.ts";
import { eventSource } from "../../event-source/index.ts";
import type { DemoWorld } from "./demo-world.ts";

type Facts = { readonly graph: Dag["status"]; readonly approved: boolean; readonly answeredBy: string };
type Transition = { readonly node: string; readonly to: string };

const question = "where is the total computed?";

export async function playGraph(world: DemoWorld): Promise<Facts> {
  const { out, user, repository, env } = world;
  out.line();
  out.line(out.paint("bold", "6  A graph of commands, and a question"));
  const { dag } = await user.call("dag.run", {
    name: "release",
    project: { path: repository },
    environment: { PATH: env.PATH ?? "", HOME: world.root },
    nodes: {
      files: { run: ["git", "ls-files"] },
      history: { run: ["git", "log", "--oneline"] },
      publish: { run: ["git", "describe", "--always"], dependsOn: ["files", "history"], approve: true },
    },
  });
  let approved = false;
  for await (const event of eventsOf(dag, world)) {
    for (const { node, to } of transitionsIn(event)) {
      if (to === "running" || to === "succeeded")
        out.line(`   ${out.paint(to === "succeeded" ? "green" : "dim", to.padEnd(9))} ${node}`);
      if (to !== "blocked") continue;
      out.line(`   ${out.paint("yellow", "waits    ")} ${node}, for a person: it holds no worker meanwhile`);
      await user.call("dag.answer", { id: dag.id, node, decision: "approve" });
      approved = true;
    }
    if (["succeeded", "failed", "cancelled"].includes(String(event.data.status))) break;
  }
  const { status } = (await user.call("dag.show", { id: dag.id })).dag;
  if (status !== "succeeded") throw new Error(`the graph ended ${status}`);
  const answer = await user.call("ask.send", { input: question, project: { path: repository } });
  out.line(`   "${question}" goes to the ${out.paint("bold", answer.to ?? "nobody")}, by rules and without a model:`);
  for (const line of (answer.answer?.text ?? "").split("\n").slice(0, 2)) out.line(`     ${line.slice(0, 110)}`);
  return { graph: status, approved, answeredBy: answer.to ?? "" };
}

async function* eventsOf({ id, since }: Dag, { paths, headers, signal }: DemoWorld): AsyncGenerator<LogEvent> {
  const all = eventSource({ socketPath: paths.socket, headers: headers(), after: since, type: "dag.*", signal });
  for await (const event of all) if (event.subject === id) yield event;
}

function transitionsIn({ data }: LogEvent): readonly Transition[] {
  return (data.transitions ?? []) as readonly Transition[];
}
