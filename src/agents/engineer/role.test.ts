import { expect, it } from "vitest";
import type { NodeId, RunId } from "../../contract/index.ts";
import { answerOf, messageOf } from "../../orchestration/guide/testkit.ts";
import { librarianTools } from "../shared/code-look/index.ts";
import { createEngineer } from "./role.ts";

type Ports = Parameters<typeof createEngineer>[0];

it("tells its model the skills that the request and its own node call for, and gives it their tools [SKILL-3]", async () => {
  const asked: unknown[] = [];
  const heard: { system: string; tools: readonly { name: string }[] }[] = [];
  const load = { name: "load_skill", description: "", input: undefined as never, run: async () => ({}) };
  const ports: Partial<Ports> = {
    work: { run: { id: "run_1" as RunId, request: "Add a discount" }, onBlockingFinding: "tell" } as Ports["work"],
    workspace: { tree: "/nowhere" } as Ports["workspace"],
    workspaces: { contentHash: async () => "tree" } as Partial<Ports["workspaces"]> as Ports["workspaces"],
    librarianTools: librarianTools(async () => ({})),
    reservationsOf: () => ({}) as ReturnType<Ports["reservationsOf"]>,
    openSkills: async (about) => {
      asked.push([about.node, about.text]);
      return { section: "\n\nSkills for this work", tools: [load] };
    },
    converse: async (_role, _node, conversation) => {
      heard.push(conversation);
      return { reason: "stop", text: "", steps: 1, usage: undefined };
    },
  };
  const id = "nod_1" as NodeId;
  const node = { id, role: "engineer", title: "Prices", prompt: "Round them", dependsOn: [] };
  const task = messageOf("TASK_DISPATCH", { node, attempt: 1, parents: {} });
  expect((await answerOf(createEngineer(ports as Ports), task)).type).toBe("TASK_FAILED");
  expect(asked).toEqual([["nod_1", "Add a discount\nPrices\nRound them"]]);
  const [{ system, tools }] = heard as [(typeof heard)[number]];
  expect([system.startsWith("You are an Engineer"), system.endsWith("Skills for this work")]).toEqual([true, true]);
  expect(tools.map(({ name }) => name)).toEqual([
    "read_file",
    "write_file",
    "edit_file",
    "search",
    "find_symbol",
    "search_code",
    "get_file",
    "find_usages",
    "analyze_imports",
    "explain_pattern",
    "search_ast",
    "list_files",
    "find_files",
    "get_structure",
    "scan_tools",
    "identify_languages",
    "identify_tooling",
    "get_tool_config",
    "scan_remote_repo",
    "run_command",
    "request_help",
    "load_skill",
    "finish",
    "give_up",
  ]);
});
