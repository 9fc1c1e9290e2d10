/** What the Archivalist can do. */
import { anything, defineSkill, text } from "../../knowledge/skills/index.ts";
import { defineRole } from "../every-agent/index.ts";

const store = defineSkill({
  name: "store",
  description: "Store an entry: what was asked, planned, done, found and spent",
  domain: "storage",
  keywords: ["store", "keep", "archive"],
  tier: "core",
  parameters: { title: text("What it is about"), content: anything("What to keep") },
  tokens: 84,
});

export const archivalistRole = defineRole({
  name: "archivalist",
  aliases: ["arch"],
  description: "Keeps the past of the project",
  intents: ["recall", "store"],
  domains: ["decisions", "failures", "learnings", "patterns"],
  core: [store],
});
