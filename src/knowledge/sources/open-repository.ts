/**
 * A repository as a source: read where it is, or cloned from an allowed host, and described by what its code shows.
 *
 *   path | address -> tree -> languages, tools, folders, names that repeat, a map of its symbols -> a document
 *
 * Nothing of it is executed.
 */
import { basename } from "node:path";
import type { CodeLook } from "../code-index/index.ts";
import type { ScanRemote } from "../remote-scan/index.ts";
import type { OpenRepository } from "./ports.ts";

type Ports = {
  readonly scanRemote: ScanRemote;
  /** The address that the host of an address has, checked. */
  readonly resolve: (address: string, signal: AbortSignal) => Promise<string>;
  readonly lookInto: (tree: string) => CodeLook;
  readonly toolsIn: (tree: string) => Promise<{
    readonly languages: readonly { readonly name: string; readonly files: number }[];
    readonly answers: readonly { readonly tools: readonly { readonly name: string }[] }[];
  }>;
};

const mapTokens = 6_000;
const mostFiles = 500;
const mostNames = 15;
/** A name that so many folders have is a habit of the project. */
const enoughFolders = 3;

export function createRepositoryOpener({ scanRemote, resolve, lookInto, toolsIn }: Ports): OpenRepository {
  return async (location, signal) => {
    const isRemote = /^https?:\/\//i.test(location);
    const tree = isRemote
      ? (await scanRemote({ url: location, connectTo: await resolve(location, signal) }, signal)).tree
      : location;
    const look = lookInto(tree);
    const { text: map, about } = await look("code.map", { tokens: mapTokens });
    const { folders } = await look("code.outline", { path: "." });
    const { items: files } = await look("code.files", { pattern: "**", limit: mostFiles });
    const { languages, answers } = await toolsIn(tree);
    const tools = [...new Set(answers.flatMap((answer) => answer.tools.map(({ name }) => name)))];
    const title = basename(location.replace(/\/\.git\/?$|\.git\/?$|\/$/g, ""));
    const overview = [
      `# ${title}`,
      "",
      `Languages: ${languages.map(({ name, files: count }) => `${name} (${count} files)`).join(", ") || "none known"}.`,
      `Tools: ${tools.join(", ") || "none found"}.`,
      "",
      "## Folders",
      ...folders.map(({ path, files: count }) => `- ${path}: ${count} files`),
      "",
      "## Patterns",
      ...patternsOf(files.map(({ path }) => path)),
      "",
      "## Symbols",
      "```",
      map,
      "```",
    ].join("\n");
    return { tree, title, overview, commit: about.commit };
  };
}

/** Names and endings that many folders share. */
function patternsOf(paths: readonly string[]): readonly string[] {
  const folders = new Map<string, Set<string>>();
  for (const path of paths) {
    const name = basename(path);
    const folder = path.slice(0, -name.length);
    const ending = /\.[a-z]+\.[a-z]+$/i.exec(name)?.[0];
    for (const key of [name, ...(ending === undefined ? [] : [`*${ending}`])])
      folders.set(key, (folders.get(key) ?? new Set()).add(folder));
  }
  const shared = [...folders].filter(([, own]) => own.size >= enoughFolders).sort((a, b) => b[1].size - a[1].size);
  return shared.slice(0, mostNames).map(([name, own]) => `- ${own.size} folders have ${name}`);
}
