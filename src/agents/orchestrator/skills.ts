/** What the Orchestrator can do. */
import { anything, defineSkill, int, list } from "../../knowledge/skills/index.ts";
import { defineRole } from "../every-agent/index.ts";

const executeDag = defineSkill({
  name: "execute_dag",
  description: "Execute a DAG workflow: its nodes by dependency, several at once, then the checks",
  domain: "orchestration",
  keywords: ["execute", "run", "dag", "workflow"],
  tier: "core",
  parameters: {
    round: int("Which round of the run: 0 for the plan, then one more for each correction"),
    nodes: list(anything("A node with id, role, title, prompt and dependsOn"), "DAG definition"),
  },
  tokens: 144,
});

export const orchestratorRole = defineRole({
  card: {
    name: "orchestrator",
    description: "Runs a graph of nodes with Engineers and has it checked",
    intents: ["execute", "status"],
    domains: ["workflow", "tasks"],
    constraints: { internal: true },
  },
  core: [executeDag],
});
