/**
 * The words of tool discovery: what a tool is, how it is known, and how it is called.
 *
 *   config file, manifest section -> high     manifest dependency -> medium     build file, editor setting -> low
 */
import type { tool } from "../../contract/index.ts";

export type ToolCategory = tool.ToolCategory;
export type Confidence = tool.ToolConfidence;
export const categories: readonly ToolCategory[] = ["linter", "formatter", "type_checker", "test_framework", "lsp"];

/** How a tool's program is installed, found and called. */
export type Ecosystem = "npm" | "python" | "go" | "cargo" | "gem" | "composer" | "jvm" | "pub" | "mix" | "system";

export type Version = { readonly major: number; readonly minor: number; readonly patch: number };

/** What a command depends on. */
export type ToolUse = {
  /** Installed, else declared by a manifest; undefined where neither is known. */
  readonly version: Version | undefined;
  /** The file that configures it, relative to the project. */
  readonly configPath: string | undefined;
  readonly language: string;
  /** Whether the project's files hold this path. */
  has(path: string): boolean;
  /** Whether a manifest has this section, for example "Cargo.toml workspace". */
  hasSection(section: string): boolean;
};
export type CommandBuilder = (use: ToolUse) => readonly [string, ...string[]];

export type ToolDefinition = {
  readonly name: string;
  readonly languages: readonly string[];
  readonly ecosystem: Ecosystem;
  /** The executable; the name by default. */
  readonly program?: string;
  /** In its ecosystem; the name by default. */
  readonly package?: string;
  /** What it is for, with its command. */
  readonly uses: Readonly<Partial<Record<ToolCategory, CommandBuilder>>>;
  /** Uses for which its own configuration says less: evidence counts one step lower. */
  readonly lesser?: readonly ToolCategory[];
  /** Names of files that configure it; `*` stands for letters within a name. */
  readonly configFiles?: readonly string[];
  /** Places in manifests that configure it: "pyproject.toml tool.ruff". */
  readonly sections?: readonly string[];
  /** Names of packages in manifests; its package by default. */
  readonly dependencies?: readonly string[];
  /** Manifests whose toolchain contains it. */
  readonly comesWith?: readonly string[];
  /** Words of a command line that call it; its program by default. */
  readonly mentions?: readonly string[];
  /** Editor extensions and settings that name it. */
  readonly editor?: readonly string[];
  /** Where the package manager of the project does not install it. */
  readonly install?: readonly [string, ...string[]];
  readonly pros?: readonly string[];
  readonly cons?: readonly string[];
};

export type Toolset = {
  readonly packageManager: string;
  /** A tool's name, or why there is none. */
  readonly tools: Readonly<Record<ToolCategory, string | { readonly none: string }>>;
};

export type LanguageDefinition = {
  readonly name: string;
  /** Languages that one project mixes freely: a tool is asked for once. */
  readonly family?: string;
  readonly extensions: readonly string[];
  readonly toolset: Toolset;
};

export function parseVersion(text: string | undefined): Version | undefined {
  const found = /(\d{1,6})(?:\.(\d{1,6}))?(?:\.(\d{1,6}))?/.exec((text ?? "").slice(0, 200));
  if (found === null) return undefined;
  return { major: Number(found[1]), minor: Number(found[2] ?? 0), patch: Number(found[3] ?? 0) };
}

/** An unknown version counts as a new one. */
export function isOlder(version: Version | undefined, major: number, minor = 0): boolean {
  if (version === undefined) return false;
  return version.major < major || (version.major === major && version.minor < minor);
}
