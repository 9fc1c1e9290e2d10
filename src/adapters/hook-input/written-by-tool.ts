/**
 * Tools that no table names, such as those of other MCP servers: judged by the paths in their input.
 *
 *   a name that only reads (read_file, listIssues)       -> nothing is written
 *   paths in fields that name files                      -> these are about to be written
 *   neither                                              -> unknown, never harmless
 */
import { isAbsolute, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { Written } from "./written-paths.ts";

const fileFields =
  /^(?:(?:(?:target|source|src|dst|dest|destination|old|new|from|to|output|notebook|relative|absolute|full|workspace)[_-]?)?(?:file[_-]?)?(?:path|file|filename)s?|source|src|destination|target|dest|dst|output|uri|files|new[_-]?path|old[_-]?path)$/i;
const lists = /^(?:edits|files|changes|operations|patches|items|moves|writes|updates)$/i;

const reading =
  /^(?:read|get|list|search|find|query|fetch|view|show|describe|stat|tree|info|status|diff|log|glob|grep|ls|cat|check|lookup|browse|count|inspect|explain|resolve|ping|version|help|whoami|screenshot|snapshot|wait|navigate|think|sequentialthinking|ask|web)$/;
const writing =
  /^(?:write|edit|create|update|delete|remove|move|rename|copy|patch|apply|replace|insert|append|put|save|set|add|make|mkdir|touch|format|fix|refactor|run|exec|execute|shell|command|bash|powershell|terminal|commit|checkout|reset|stash|merge|pull|generate|install|upload|download|import|export|sync|convert)$/;

const deepest = 4;
/** As many, and as long, as `guard.write` takes. */
const mostPaths = 500;
const longestPath = 4096;
const longestName = 200;

/** `own`: the client's tools that only read, and ours. */
export function writtenByTool(
  tool: unknown,
  input: unknown,
  cwd: string,
  own: { readonly readers: ReadonlySet<string> },
): Written {
  if (typeof tool !== "string" || tool === "" || own.readers.has(tool)) return undefined;
  if (/^(?:mcp_{1,2})?(?:plugin_)?sylk_/.test(tool)) return undefined;
  const words = verbsOf(tool);
  if (!words.some((word) => writing.test(word)) && words.some((word) => reading.test(word))) return undefined;
  const found = new Set<string>();
  const isCopy = words.includes("copy");
  collect(input, found, 0, isCopy ? /^(?:source|src|from|uri)/i : undefined);
  const paths = [...found].map((path) => (isAbsolute(path) ? path : resolve(cwd, path)));
  const named = paths.filter((path) => path.length <= longestPath).slice(0, mostPaths);
  return { paths: named, ...(named.length === 0 ? { tools: [tool.slice(0, longestName)] } : {}) };
}

/** The words of a tool's own name, without its server's: `mcp__fs__write_file` -> write, file. */
function verbsOf(tool: string): readonly string[] {
  const own = tool.startsWith("mcp__") ? tool.split("__").slice(2).join("_") : tool;
  return own
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== "");
}

/** `except`: fields that a copy only reads. */
function collect(value: unknown, found: Set<string>, depth: number, except: RegExp | undefined): void {
  if (depth > deepest || typeof value !== "object" || value === null || found.size > mostPaths) return;
  for (const [field, one] of Object.entries(value)) {
    if (except?.test(field)) continue;
    if (fileFields.test(field)) for (const text of Array.isArray(one) ? one : [one]) addPath(text, found);
    if (Array.isArray(one) && lists.test(field)) for (const item of one) collect(item, found, depth + 1, except);
    else if (typeof one === "object" && !Array.isArray(one)) collect(one, found, depth + 1, except);
  }
}

/** An address of another machine is not a file; what holds a line break is a text. */
function addPath(text: unknown, found: Set<string>): void {
  if (typeof text !== "string" || text === "" || /[\n\0]/.test(text)) return;
  if (!/^[a-z][a-z0-9+.-]+:\/\//i.test(text)) return void found.add(text);
  if (!text.startsWith("file://")) return;
  try {
    found.add(fileURLToPath(text));
  } catch {
    // an address without a path of this machine
  }
}
