/** What the Orchestrator can do. */
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
  description: "Get how a graph stands, node by node; without an id, those of the session",
  keywords: ["status", "progress", "state"],
  parameters: { dag_id: optional(text("Graph, by its id")) },
  tokens: 57,
});

export const cancelExecution = defineSkill({
  ...core,
  name: "cancel_execution",
  description: "End a graph for good; what runs is stopped",
  keywords: ["cancel", "stop", "abort"],
  parameters: { dag_id: dag },
  tokens: 56,
});

export const pauseExecution = defineSkill({
  ...control,
  name: "pause_execution",
  description: "Start no more nodes of a graph until it is resumed; what runs may finish",
  keywords: ["pause", "hold"],
  parameters: { dag_id: dag },
  tokens: 62,
});

export const resumeExecution = defineSkill({
  ...control,
  name: "resume_execution",
  description: "Go on with a paused graph",
  keywords: ["resume", "continue"],
  parameters: { dag_id: dag },
  tokens: 52,
});

export const retryNode = defineSkill({
  ...control,
  name: "retry_node",
  description: "Run a failed, skipped or cancelled node again, with what was skipped because of it",
  keywords: ["retry", "again", "rerun"],
  parameters: { node_id: node, dag_id: dag },
  tokens: 84,
});

export const skipNode = defineSkill({
  ...control,
  name: "skip_node",
  description: "Pass over a node that has not run, waits or failed",
  keywords: ["skip", "pass over"],
  parameters: {
    node_id: node,
    dag_id: dag,
    treat_as_done: optional(bool("What depends on it goes on without its result")),
  },
  tokens: 101,
});

export const getNodeResult = defineSkill({
  ...control,
  name: "get_node_result",
  description: "Get what a node said, and how it ended",
  keywords: ["node result", "result", "output"],
  parameters: { node_id: node, dag_id: dag },
  tokens: 78,
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
