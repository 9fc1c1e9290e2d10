/** The skills of the Orchestrator. A skill that does what an operation does is described by that operation's summary. */
import { dag as operations } from "../../contract/index.ts";
import { anything, bool, defineSkill, int, list, optional, text } from "../../knowledge/skills/index.ts";
import { defineRole } from "../skills/index.ts";

const core = { domain: "orchestration", tier: "core" } as const;
const control = { domain: "control", tier: "domain" } as const;
const dag = optional(text("Graph, by its id; the session's newest by default"));
const node = text("Name of the node");

export const executeDag = defineSkill({
  ...core,
  name: "execute_dag",
  description: "Execute a DAG workflow: its nodes by dependency, several at once, then the checks",
  keywords: ["execute", "run", "dag", "workflow"],
  parameters: {
    round: int("Which round of the run: 0 for the plan, then one more for each correction"),
    nodes: list(anything("A node with id, role, title, prompt and dependsOn"), "DAG definition"),
  },
  tokens: 144,
});

export const getStatus = defineSkill({
  ...core,
  name: "get_status",
  description: "Get the state of a graph, node by node; without an id, the graphs of the session",
  keywords: ["status", "progress", "state"],
  parameters: { dag_id: optional(text("Graph, by its id")) },
  tokens: 59,
});

export const cancelExecution = defineSkill({
  ...core,
  name: "cancel_execution",
  description: operations.cancel.summary,
  keywords: ["cancel", "stop", "abort"],
  parameters: { dag_id: dag },
  tokens: 55,
});

export const pauseExecution = defineSkill({
  ...control,
  name: "pause_execution",
  description: operations.pause.summary,
  keywords: ["pause", "hold"],
  parameters: { dag_id: dag },
  tokens: 59,
});

export const resumeExecution = defineSkill({
  ...control,
  name: "resume_execution",
  description: operations.resume.summary,
  keywords: ["resume", "continue"],
  parameters: { dag_id: dag },
  tokens: 51,
});

export const retryNode = defineSkill({
  ...control,
  name: "retry_node",
  description: operations.retry.summary,
  keywords: ["retry", "again", "rerun"],
  parameters: { node_id: node, dag_id: dag },
  tokens: 83,
});

export const skipNode = defineSkill({
  ...control,
  name: "skip_node",
  description: operations.skip.summary,
  keywords: ["skip", "pass over"],
  parameters: {
    node_id: node,
    dag_id: dag,
    treat_as_done: optional(bool("Nodes that depend on it run without its result")),
  },
  tokens: 102,
});

export const getNodeResult = defineSkill({
  ...control,
  name: "get_node_result",
  description: "Get the result of a node, and how it ended",
  keywords: ["node result", "result", "output"],
  parameters: { node_id: node, dag_id: dag },
  tokens: 79,
});

export const orchestratorRole = defineRole({
  card: {
    name: "orchestrator",
    description: "Runs a graph of nodes with Engineers and has it checked",
    intents: ["execute", "status"],
    domains: ["workflow", "tasks"],
    constraints: { internal: true },
  },
  core: [executeDag, getStatus, cancelExecution],
  extended: [pauseExecution, resumeExecution, retryNode, skipNode, getNodeResult],
});
