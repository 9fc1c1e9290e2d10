/** What the Librarian can do. */
import { defineSkill, text } from "../../knowledge/skills/index.ts";
import { standardCards } from "../../orchestration/guide/index.ts";
import { defineRole, runCommand } from "../every-agent/index.ts";

const searchCode = defineSkill({
  name: "search_code",
  description: "Search for code patterns or text in the codebase",
  domain: "codebase",
  keywords: ["search", "grep", "find", "code", "pattern"],
  tier: "core",
  parameters: { question: text("Search query or pattern") },
  tokens: 52,
});

export const librarianRole = defineRole({
  card: standardCards.librarian,
  core: [searchCode, runCommand],
});
