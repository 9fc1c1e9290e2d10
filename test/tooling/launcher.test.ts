/** The bootstrap and the `sylk` launcher run where nothing is installed yet, on old Nodes included. */
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { globSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { builtinModules } from "node:module";
import { join } from "node:path";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import { NO_OLD_NODE, oldNode } from "./old-node.ts";
import { copyFromRepository, repository, scratchFolder, writeTree } from "./scratch-folder.ts";

const PINNED = join(repository, "node_modules", "node", "bin", "node");

describe("bootstrap and launcher", () => {
  it.each(globSync(["bin/*.cjs", "scripts/bootstrap.cjs", "scripts/bootstrap/*.cjs"], { cwd: repository }))(
    "%s requires nothing but built-ins and files beside it [CORE-3]",
    (file) => {
      const text = readFileSync(join(repository, file), "utf8");
      const required = [...text.matchAll(/(?:require|import)\(\s*"([^"]+)"/g)].map((match) => match[1] ?? "");
      const foreign = required.filter(
        (name) => !name.startsWith(".") && !builtinModules.includes(name.replace("node:", "")),
      );
      expect(foreign).toEqual([]);
    },
  );

  // load-main.cjs is reached only after the version check: import() is what the old ones cannot parse.
  it.each(["bin/sylk.cjs", "bin/hand-over.cjs"])("%s is ES5 [CORE-3]", (file) => {
    expect(syntaxNewerThanEs5(readFileSync(join(repository, file), "utf8"))).toEqual([]);
  });

  it("recognises newer syntax where there is some", () => {
    expect(syntaxNewerThanEs5("const a = b?.c; f(a,); (x) => `${x}`;")).toHaveLength(5);
  });
});

describe("sylk on an old Node", () => {
  it("re-executes with the pinned Node, passing arguments, streams and exit code", ({ skip }) => {
    skip(oldNode === undefined, NO_OLD_NODE);
    const root = installation({
      pinned: true,
      main: `process.stdin.pipe(process.stdout); console.log(process.version, process.argv.slice(2)); process.exitCode = 5;`,
    });
    const run = spawnSync(oldNode!, [join(root, "bin/sylk.cjs"), "who", "--json"], {
      encoding: "utf8",
      input: "typed in\n",
    });
    const version = execFileSync(PINNED, ["--version"], { encoding: "utf8" }).trim();
    expect(run.stdout).toBe(`${version} [ 'who', '--json' ]\ntyped in\n`);
    expect(run.status).toBe(5);
  });

  it("finds the pinned Node in a folder above, as in a project that depends on sylk", ({ skip }) => {
    skip(oldNode === undefined, NO_OLD_NODE);
    const project = scratchFolder();
    linkPinnedNode(project);
    const root = join(project, "node_modules", "sylk");
    mkdirSync(root);
    fillInstallation(root, `console.log("found");`);
    expect(spawnSync(oldNode!, [join(root, "bin/sylk.cjs")], { encoding: "utf8" }).stdout).toBe("found\n");
  });

  it("passes signals on and dies of the same one", async ({ skip }) => {
    skip(oldNode === undefined, NO_OLD_NODE);
    const root = installation({ pinned: true, main: `setInterval(() => {}, 1000); console.log("up");` });
    const child = spawn(oldNode!, [join(root, "bin/sylk.cjs")], { stdio: ["ignore", "pipe", "inherit"] });
    child.stdout.once("data", () => child.kill("SIGTERM"));
    const signal = await new Promise((resolve) => child.on("exit", (_code, name) => resolve(name)));
    expect(signal).toBe("SIGTERM");
  });

  it("says what to install when there is no pinned Node, exit code 7", ({ skip }) => {
    skip(oldNode === undefined, NO_OLD_NODE);
    const root = installation({ pinned: false, main: `console.log("must not run");` });
    const run = spawnSync(oldNode!, [join(root, "bin/sylk.cjs")], { encoding: "utf8" });
    expect(run.status).toBe(7);
    expect(run.stdout).toBe("");
    expect(run.stderr).toMatch(/Node 22\.18 or newer is needed, this is \d+\.\d+\.\d+[^]*Install it/);
  });

  it("does not loop when the pinned Node is an old one", ({ skip }) => {
    skip(oldNode === undefined, NO_OLD_NODE);
    const root = installation({ pinned: false, main: `console.log("must not run");` });
    mkdirSync(join(root, "node_modules/node/bin"), { recursive: true });
    symlinkSync(oldNode!, join(root, "node_modules/node/bin/node"));
    expect(spawnSync(oldNode!, [join(root, "bin/sylk.cjs")], { encoding: "utf8" }).status).toBe(7);
  });
});

describe("sylk on a supported Node", () => {
  it("loads the program in its own process [CORE-3]", () => {
    const root = installation({ pinned: false, main: `console.log(process.ppid); process.exitCode = 4;` });
    const run = spawnSync(process.execPath, [join(root, "bin/sylk.cjs")], { encoding: "utf8" });
    expect(run.stdout).toBe(`${process.pid}\n`);
    expect(run.status).toBe(4);
  });

  it("names the command that builds when dist is missing, exit code 7 [CORE-3]", () => {
    const root = scratchFolder();
    copyFromRepository(root, ["bin", "package.json"]);
    const run = spawnSync(process.execPath, [join(root, "bin/sylk.cjs")], { encoding: "utf8" });
    expect(run.stderr).toContain("npm run build");
    expect(run.status).toBe(7);
  });
});

function installation({ pinned, main }: { pinned: boolean; main: string }): string {
  const root = scratchFolder();
  fillInstallation(root, main);
  if (pinned) linkPinnedNode(root);
  return root;
}

function fillInstallation(root: string, main: string): void {
  copyFromRepository(root, ["bin", "package.json"]);
  writeTree(root, { "dist/main.mjs": `${main}\n` });
}

function linkPinnedNode(root: string): void {
  mkdirSync(join(root, "node_modules"), { recursive: true });
  symlinkSync(join(repository, "node_modules", "node"), join(root, "node_modules", "node"));
}

/** Names the constructs that an ES5 parser refuses. */
function syntaxNewerThanEs5(text: string): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (isNewer(node)) found.push(`${ts.SyntaxKind[node.kind]}: ${node.getText()}`);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile("old.js", text.replace(/^#!.*/, ""), ts.ScriptTarget.Latest, true, ts.ScriptKind.JS));
  return found;
}

function isNewer(node: ts.Node): boolean {
  if (ts.isVariableDeclarationList(node)) return (node.flags & ts.NodeFlags.BlockScoped) !== 0;
  if (ts.isCallExpression(node)) return node.arguments.hasTrailingComma || node.questionDotToken !== undefined;
  if (ts.isPropertyAccessExpression(node)) return node.questionDotToken !== undefined;
  return [
    ts.SyntaxKind.ArrowFunction,
    ts.SyntaxKind.TemplateExpression,
    ts.SyntaxKind.NoSubstitutionTemplateLiteral,
    ts.SyntaxKind.ClassDeclaration,
    ts.SyntaxKind.SpreadElement,
    ts.SyntaxKind.SpreadAssignment,
    ts.SyntaxKind.ShorthandPropertyAssignment,
    ts.SyntaxKind.ImportKeyword,
    ts.SyntaxKind.AwaitExpression,
    ts.SyntaxKind.ForOfStatement,
    ts.SyntaxKind.QuestionQuestionToken,
    ts.SyntaxKind.ObjectBindingPattern,
    ts.SyntaxKind.ArrayBindingPattern,
  ].includes(node.kind);
}
