/** The repository as a stranger gets it: what git would deliver, in a folder of its own, on a machine without a history. */
import { execFileSync, spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { repository } from "../tooling/scratch-folder.ts";

export type Run = { status: number | string | null; output: string; lastLine: string };

/** Tracked and new files, committed: tools that ask git find a clean clone. */
export function copyRepository(to: string): void {
  const list = execFileSync("git", ["ls-files", "-co", "--exclude-standard", "-z"], {
    cwd: repository,
    encoding: "utf8",
  });
  for (const path of list.split("\0").filter((name) => name !== "" && existsSync(join(repository, name)))) {
    mkdirSync(dirname(join(to, path)), { recursive: true });
    cpSync(join(repository, path), join(to, path));
  }
  const git = (...args: string[]): unknown => execFileSync("git", args, { cwd: to, stdio: "pipe" });
  git("init", "-q");
  git("add", "-A");
  git("-c", "user.name=Test", "-c", "user.email=test@example.org", "commit", "-q", "-m", "everything");
}

/**
 * An empty home and a PATH without any node_modules. npm keeps its registry settings and may share its cache: they
 * belong to the machine, not to the clone.
 */
export function strangersEnvironment(home: string, firstInPath: readonly string[] = []): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(npm_|node_(?!extra_ca)|vite|sylk_|xdg_|init_cwd)/i.test(name),
  );
  const folders = (process.env["PATH"] ?? "").split(delimiter).filter((folder) => !folder.includes("node_modules"));
  mkdirSync(home, { recursive: true });
  return {
    ...Object.fromEntries(kept),
    ...settingsOfNpm(),
    HOME: home,
    PATH: [...firstInPath, ...folders].join(delimiter),
  };
}

function settingsOfNpm(): NodeJS.ProcessEnv {
  const named = Object.entries(process.env).filter(([name]) =>
    /^npm_config_(registry|cafile|globalconfig)$/i.test(name),
  );
  const userconfig = process.env["npm_config_userconfig"] ?? join(homedir(), ".npmrc");
  const cache = process.env["npm_config_cache"] ?? join(homedir(), ".npm");
  return {
    ...Object.fromEntries(named),
    ...(existsSync(userconfig) ? { npm_config_userconfig: userconfig } : {}),
    ...(existsSync(cache) ? { npm_config_cache: cache } : {}),
  };
}

export function run(
  command: string,
  args: readonly string[],
  options: { cwd: string; env: NodeJS.ProcessEnv },
): Promise<Run> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { ...options, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    let stdout = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      output += text;
      stdout += text;
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => (output += text));
    child.on("error", reject);
    child.on("close", (code, signal) =>
      resolve({ status: code ?? signal, output, lastLine: stdout.trimEnd().split("\n").at(-1) ?? "" }),
    );
  });
}
