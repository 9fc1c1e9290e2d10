/** Build files, CI files and editor settings as facts: which command words they contain, and which targets a Makefile has. */

const longestLine = 2_000;
const mostLines = 20_000;

/** Files that call tools, by their path from the root. */
const buildFiles: readonly RegExp[] = [
  /^(GNUmakefile|[Mm]akefile|[Jj]ustfile|\.justfile|Taskfile\.ya?ml|Rakefile|noxfile\.py|Jenkinsfile|Dockerfile)$/,
  /^\.github\/workflows\/[\w.-]+\.ya?ml$/,
  /^(\.gitlab-ci\.yml|\.travis\.yml|azure-pipelines\.yml|bitbucket-pipelines\.yml|\.drone\.yml|\.pre-commit-config\.yaml)$/,
  /^\.circleci\/config\.yml$/,
];
const editorFiles: readonly RegExp[] = [/^\.vscode\/(settings|extensions)\.json$/];

export function isBuildFile(path: string): boolean {
  return buildFiles.some((pattern) => pattern.test(path));
}

export function isEditorFile(path: string): boolean {
  return editorFiles.some((pattern) => pattern.test(path));
}

export function isMakefile(path: string): boolean {
  return /^(GNUmakefile|[Mm]akefile)$/.test(path);
}

/** Targets that a person would type: no patterns, no variables, no files of the build. Phony ones are no files. */
export function makeTargets(text: string): { readonly all: ReadonlySet<string>; readonly phony: ReadonlySet<string> } {
  const targets = new Set<string>();
  const phony = new Set<string>();
  for (const line of linesOf(text)) {
    const [, listed = ""] = /^\.PHONY\s*:(.*)$/.exec(line) ?? [];
    for (const name of listed.split(/\s+/)) if (name !== "") phony.add(name);
    const [, names = ""] = /^([A-Za-z][\w -]{0,200}?)\s*::?(?![=:])/.exec(line) ?? [];
    for (const name of names.split(" ")) if (name !== "") targets.add(name);
  }
  return { all: targets, phony };
}

/** Single words and pairs of neighbours: "pytest", "go test". Comments are no calls. */
export function calledWords(text: string): ReadonlySet<string> {
  const called = new Set<string>();
  for (const line of linesOf(text)) {
    const words = line
      .replace(/(^|\s)(#|\/\/).*$/, "")
      .split(/[^\w.@+:/-]+/)
      .map((word) => word.slice(word.lastIndexOf("/") + 1))
      .filter((word) => word !== "" && !word.endsWith(":"));
    for (const [index, word] of words.entries()) {
      called.add(word);
      if (index > 0) called.add(`${words[index - 1]} ${word}`);
    }
  }
  return called;
}

/** Names of settings and extensions, as they are quoted; "go.lintTool staticcheck" for a setting with its value. */
export function editorNames(text: string): ReadonlySet<string> {
  const names = new Set<string>();
  for (const line of linesOf(text)) {
    const quoted = [...line.matchAll(/"([^"\\]{1,200})"/g)].map(([, name]) => name!).slice(0, 20);
    for (const name of quoted) {
      names.add(name);
      names.add(name.split(".")[0]!);
    }
    if (quoted.length === 2) names.add(`${quoted[0]} ${quoted[1]}`);
  }
  return names;
}

function linesOf(text: string): readonly string[] {
  return text.split(/\r?\n/, mostLines).map((line) => line.slice(0, longestLine));
}
