/** The Librarian: its skills, and the names of the tools that call them. */
import { standardCards } from "../../orchestration/guide/index.ts";
import { librarianSkills } from "../shared/code-look/index.ts";
import { defineRole, runCommand } from "../skills/index.ts";

const named = ["find_symbol", "search_code", "get_file", "analyze_imports", "find_usages", "find_files", "list_files"];
const aboutTools = ["identify_languages", "identify_tooling", "get_tool_config"];

export const librarianRole = defineRole({
  card: standardCards.librarian,
  core: [...librarianSkills.core, runCommand],
  extended: librarianSkills.extended,
  tools: {
    ...Object.fromEntries([...named, ...aboutTools].map((name) => [`librarian_${name}`, name])),
    librarian_scan_remote: "scan_remote_repo",
  },
});
