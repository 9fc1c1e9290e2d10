/** Projects: the repositories this home knows, what it keeps of each, and how all of that is forgotten. */
import * as z from "zod";
import { Project } from "./agent.ts";
import { defineOperation } from "./define.ts";
import { pageOf, TimeMs } from "./page.ts";
import { RemovedCounts } from "./store.ts";

export const ProjectSummary = Project.extend({
  exists: z.boolean().describe("Whether its folder is still there"),
  agents: z.int(),
  liveAgents: z.int(),
  workItems: z.int(),
  openWorkItems: z.int(),
  runs: z.int(),
  unfinishedRuns: z.int(),
  events: z.int(),
  bytes: z.int().describe("Approximate size of its records in the store"),
  firstSeenAt: TimeMs,
  lastActivityAt: TimeMs,
});
export type ProjectSummary = Readonly<z.infer<typeof ProjectSummary>>;

export const list = defineOperation({
  name: "project.list",
  summary: "List the projects of this home and their record counts, most recently active first",
  http: "GET /v1/projects",
  actor: "user",
  input: z.strictObject({}),
  output: pageOf(ProjectSummary),
  errors: ["caller.denied"],
  example: {},
});

export const forget = defineOperation({
  name: "project.forget",
  summary: "Remove all records of a project in one step",
  http: "POST /v1/projects/forget",
  actor: "user",
  input: z.strictObject({
    target: z.string().min(1).max(4096).describe("Id of the project, or the absolute path of its folder"),
    dryRun: z.boolean().default(false).describe("Only count what would be removed"),
    worktrees: z.boolean().default(false).describe("Also remove the worktrees and branches of its runs"),
  }),
  output: z.object({
    dryRun: z.boolean(),
    project: Project,
    removed: RemovedCounts,
    worktrees: z
      .array(
        z.object({
          tree: z.string(),
          branch: z.string(),
          removed: z.boolean(),
          why: z.string().optional().describe("Why it could not be removed"),
        }),
      )
      .describe("Worktrees and branches of its runs; their content stays under a quarantine reference"),
  }),
  errors: ["input.invalid", "project.not-found", "project.in-use", "caller.denied"],
  example: { target: "/home/ada/shop", dryRun: true },
});
