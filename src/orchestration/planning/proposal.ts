/** A plan as a model proposes it: nodes by short keys. */
import * as z from "zod";

export const PlanProposal = z.object({
  summary: z.string().min(1).max(2000).describe("The plan in one or two sentences"),
  nodes: z
    .array(
      z.object({
        key: z.string().min(1).max(40).describe("Short name of the node, unique in the plan"),
        title: z.string().min(1).max(200).describe("What holds when the node is done"),
        role: z.string().min(1).max(40).describe("Who does it: engineer"),
        prompt: z.string().min(1).max(20_000).describe("What to do, with the files concerned"),
        files: z
          .array(z.string().min(1).max(500))
          .max(50)
          .optional()
          .describe("Files it adds or changes, tests included, relative to the repository"),
        dependsOn: z.array(z.string()).default([]).describe("Keys of nodes that must be done first"),
      }),
    )
    .min(1)
    .max(50),
  existing: z
    .array(
      z.object({
        title: z.string().min(1).max(200),
        files: z.array(z.string().min(1).max(500)).min(1).max(50).describe("Where it is"),
      }),
    )
    .max(50)
    .optional()
    .describe("What is there already: no node does it"),
});
export type PlanProposal = Readonly<z.infer<typeof PlanProposal>>;
