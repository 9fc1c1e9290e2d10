/** A graph of commands that waits for an agent's file and for a person, and a question that the Guide takes to who can answer it. */
import type { Dag, LogEvent } from "../../../contract/index.ts";
import { eventSource } from "../../event-source/index.ts";
import type { DemoWorld } from "./demo-world.ts";

type Facts = {
  readonly graph: Dag["status"];
  /** What its nodes waited for, in turn. */
  readonly waitedFor: readonly string[];
  readonly answeredBy: string;
};
type Transition = { readonly node: string; readonly to: string; readonly cause?: string };

const question = "where is the total computed?";
const contested = "package.json";

export async function playGraph(world: DemoWorld): Promise<Facts> {
  const { out, user, repository, env } = world;
  out.line();
  out.line(out.paint("bold", "6  A graph of commands, and a question"));
  const stoat = await world.join("stoat", "other", repository);
  const { reservation } = await stoat.client.call("reservation.acquire", {
    paths: [contested],
    reason: "new version",
  });
  const { dag } = await user.call("dag.run", {
    name: "release",
    project: { path: repository },
    environment: { PATH: env.PATH ?? "", HOME: world.root },
    nodes: {
      files: { run: ["git", "ls-files"] },
      version: { run: ["git", "log", "-1", "--", contested], dependsOn: ["files"], reserves: { paths: [contested] } },
      publish: { run: ["git", "describe", "--always"], dependsOn: ["version"], approve: true },
    },
  });
  const waitedFor: string[] = [];
  for await (const event of eventsOf(dag, world)) {
    for (const { node, to, cause = "" } of transitionsIn(event)) {
      if (to === "running" || to === "succeeded")
        out.line(`   ${out.paint(to === "succeeded" ? "green" : "dim", to.padEnd(9))} ${node}`);
      if (to !== "blocked") continue;
      const isHeld = node === "version";
      const what = isHeld ? cause : "for a person";
      out.line(`   ${out.paint("yellow", "waits    ")} ${node}: ${what}; it uses no worker while it waits`);
      waitedFor.push(isHeld ? "stoat" : "approval");
      if (isHeld) await stoat.client.call("reservation.release", { id: reservation.id });
      else await user.call("dag.answer", { id: dag.id, node, decision: "approve" });
    }
    if (["succeeded", "failed", "cancelled"].includes(String(event.data.status))) break;
  }
  const { status } = (await user.call("dag.show", { id: dag.id })).dag;
  if (status !== "succeeded") throw new Error(`the graph ended ${status}`);
  const answer = await user.call("ask.send", { input: question, project: { path: repository } });
  out.line(
    `   "${question}" goes to the ${out.paint("bold", answer.to ?? "none of them")}, by rules and without a model:`,
  );
  for (const line of (answer.answer?.text ?? "").split("\n").slice(0, 2)) out.line(`     ${line.slice(0, 110)}`);
  return { graph: status, waitedFor, answeredBy: answer.to ?? "" };
}

async function* eventsOf({ id, since }: Dag, { paths, headers, signal }: DemoWorld): AsyncGenerator<LogEvent> {
  const all = eventSource({ socketPath: paths.socket, headers: headers(), after: since, type: "dag.*", signal });
  for await (const event of all) if (event.subject === id) yield event;
}

function transitionsIn({ data }: LogEvent): readonly Transition[] {
  return (data.transitions ?? []) as readonly Transition[];
}
