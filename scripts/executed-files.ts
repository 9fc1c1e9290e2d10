/**
 * `npm run executed-files`: which files of src one run of a request executes, and which one hook does, by V8's coverage.
 *
 *   sylk from its sources, with NODE_V8_COVERAGE -> one rehearsed run, one hook -> functions that were called -> files
 *
 * A file counts when one of its functions ran that an idle daemon does not run; loading a file is not executing it.
 */
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const repository = join(import.meta.dirname, "..");
const scratch = mkdtempSync(join(tmpdir(), "sylk-executed-"));
const shop = join(scratch, "shop");
const main = join(repository, "src", "main.ts");

try {
  cpSync(join(repository, "samples", "shop"), shop, { recursive: true });
  for (const words of [
    ["init", "--quiet", "--initial-branch=main"],
    ["add", "--all"],
    ["-c", "user.name=Ada", "-c", "user.email=ada@example.org", "commit", "--quiet", "--message", "A small shop"],
  ])
    execFileSync("git", words, { cwd: shop });
  const scenario = join(repository, "samples", "scenarios", "discounts.yaml");
  const request = "Add percentage discounts to the cart and show them on a receipt";
  report("sylk run", await measured("run", ({ sylk }) => sylk("run", request, "--rehearse", scenario, "--yes")));
  const event = {
    session_id: "one",
    hook_event_name: "PreToolUse",
    tool_name: "Edit",
    tool_input: { file_path: join(shop, "src/cart.ts") },
    cwd: shop,
  };
  report("one hook", await measured("hook", ({ post }) => post("/v1/hooks/claude-code/PreToolUse", event)));
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

type Running = {
  sylk(...args: readonly string[]): void;
  post(path: string, body: unknown): void;
};

/** In a home of its own; the daemon is stopped so that its coverage is written, too. What it does at rest is left out. */
async function measured(name: string, use: (running: Running) => void): Promise<ReadonlySet<string>> {
  const idle = await coverageOf(`${name}-idle`, () => {});
  const used = await coverageOf(name, use);
  return new Set([...used].filter((file) => !idle.has(file)));
}

async function coverageOf(name: string, use: (running: Running) => void): Promise<ReadonlySet<string>> {
  const coverage = join(scratch, `coverage-${name}`);
  mkdirSync(coverage);
  const own = join(scratch, `home-${name}`);
  const env = { ...process.env, SYLK_HOME: own, NODE_V8_COVERAGE: coverage };
  const sylk = (...args: readonly string[]): void => {
    const { status, stderr } = spawnSync(process.execPath, [main, ...args], { cwd: shop, env, encoding: "utf8" });
    if (status !== 0) throw new Error(`sylk ${args[0]} ended with ${status}: ${stderr}`);
  };
  const daemon = spawn(process.execPath, [main, "serve", "--http-port", "0"], { cwd: shop, env, stdio: "ignore" });
  const gone = once(daemon, "exit");
  sylk("up");
  use({
    sylk,
    post(path, body) {
      const token = readFileSync(join(own, "token"), "utf8").trim();
      const words = ["--silent", "--fail", "--unix-socket", join(own, "sylk.sock"), "--data", JSON.stringify(body)];
      const headers = ["-H", `authorization: Bearer ${token}`, "-H", "content-type: application/json"];
      execFileSync("curl", [...words, ...headers, `http://localhost${path}`]);
    },
  });
  sylk("down");
  await gone;
  return new Set(readdirSync(coverage).flatMap((file) => executedIn(join(coverage, file))));
}

type Coverage = {
  readonly result: readonly {
    readonly url: string;
    readonly functions: readonly {
      readonly functionName: string;
      readonly ranges: readonly { readonly count: number }[];
    }[];
  }[];
};

function executedIn(file: string): readonly string[] {
  const { result } = JSON.parse(readFileSync(file, "utf8")) as Coverage;
  return result.flatMap(({ url, functions }) => {
    if (!url.startsWith("file:")) return [];
    const path = relative(repository, fileURLToPath(url));
    // The first one is the file itself.
    const called = functions.slice(1).some(({ ranges }) => (ranges[0]?.count ?? 0) > 0);
    return path.startsWith("src/") && called ? [path] : [];
  });
}

function report(what: string, files: ReadonlySet<string>): void {
  const rooms = new Map<string, number>();
  for (const file of files) {
    const room = file.split("/").slice(1, 3).join("/");
    rooms.set(room, (rooms.get(room) ?? 0) + 1);
  }
  console.log(`${what}: ${files.size} files`);
  for (const [room, count] of [...rooms].toSorted(([, one], [, other]) => other - one).slice(0, 12))
    console.log(`  ${String(count).padStart(4)}  ${room}`);
}
