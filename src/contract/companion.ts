/**
 * Companions: what is installed beside the daemon and works with it (a client's hooks, the launcher they start, the commit
 * gate of a repository), and whether each is still there as it was installed.
 *
 *   installed.json in the home + the files it names -> active | outdated | missing
 */
import * as z from "zod";
import { defineOperation } from "./define.ts";

export const Companion = z.object({
  name: z.string().describe("A client, launcher or commit-gate"),
  tree: z.string().optional().describe("Working tree it was installed for; absent: for all of them"),
  state: z
    .enum(["active", "outdated", "missing"])
    .describe("Works as installed; is of another version; was removed, or the client does not run it"),
  why: z.array(z.string()).describe("What is wrong with it, a sentence each"),
});
export type Companion = Readonly<z.infer<typeof Companion>>;

export const list = defineOperation({
  name: "companion.list",
  summary: "List installed companions (hooks of clients, launcher, commit gates) with their state",
  http: "GET /v1/companions",
  actor: "anyone",
  input: z.strictObject({}),
  output: z.object({ items: z.array(Companion) }),
  errors: [],
  example: {},
});
