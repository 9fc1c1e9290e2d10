/** What the Archivalist can do. */
import { anything, defineSkill, text } from "../../knowledge/skills/index.ts";
import { standardCards } from "../../orchestration/guide/index.ts";
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
  card: standardCards.archivalist,
  core: [store],
});
