/** A real trial: a command started with these words must not be able to change a file, nor to become able to. */
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { HeldPlaces } from "../../coordination/guard/index.ts";

const limitMs = 5_000;
const capSysAdmin = 21n;
const content = "kept\n";
/** Everything that must fail; then the capabilities that are left, where a kernel tells them. */
const attack = `(: >held/file) 2>/dev/null; (echo lost >>held/file) 2>/dev/null; rm -f held/file 2>/dev/null
mv held moved 2>/dev/null; : >held/free || echo hindered; sed -n 's/^CapBnd:[[:space:]]*/CapBnd /p' /proc/self/status 2>/dev/null; echo ran`;

/** Why it does not work; undefined where it does. */
export async function tryWords(wordsFor: (places: HeldPlaces) => readonly string[]): Promise<string | undefined> {
  let folder: string | undefined;
  try {
    folder = realpathSync(mkdtempSync(join(tmpdir(), "sylk-trial-")));
    const file = join(folder, "held", "file");
    mkdirSync(join(folder, "held"));
    writeFileSync(file, content);
    const [program, ...args] = wordsFor({ readOnly: [file], pinned: [join(folder, "held")] });
    const { error, stdout, stderr } = await run(program!, [...args, "/bin/sh", "-c", attack], folder);
    if (!stdout.includes("ran")) return whyNot(error, stderr);
    if (readFileSync(file, "utf8") !== content) return "a read-only file could be changed";
    if (stdout.includes("hindered")) return "the file beside it could not be written";
    return process.getuid?.() === 0 && mayAdministrate(stdout) ? "root keeps the capability to undo it" : undefined;
  } catch (error) {
    return `the trial failed: ${(error as Error).message}`;
  } finally {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  }
}

type Ran = { readonly error: NodeJS.ErrnoException | undefined; readonly stdout: string; readonly stderr: string };

function run(program: string, args: readonly string[], cwd: string): Promise<Ran> {
  return new Promise((resolve) => {
    execFile(program, args, { cwd, timeout: limitMs }, (error, stdout, stderr) =>
      resolve({ error: (error as NodeJS.ErrnoException | null) ?? undefined, stdout, stderr }),
    );
  });
}

function mayAdministrate(stdout: string): boolean {
  const [, bits] = /CapBnd ([0-9a-f]+)/.exec(stdout) ?? [];
  return bits !== undefined && ((BigInt(`0x${bits}`) >> capSysAdmin) & 1n) === 1n;
}

function whyNot(error: NodeJS.ErrnoException | undefined, stderr: string): string {
  if (error?.code === "ENOENT") return "it is not installed";
  const [said = "it did not run"] = stderr.trim().split("\n");
  const cause = said
    .replace(/^Sylk: the files that others hold could not be made read-only: /, "")
    .replace(/\. The command.*$/, "");
  return `${cause}${restriction()}`;
}

/** The usual reasons, by the kernel's own settings. */
function restriction(): string {
  if (setting("kernel/apparmor_restrict_unprivileged_userns") === "1")
    return " (AppArmor restricts user namespaces: kernel.apparmor_restrict_unprivileged_userns is 1)";
  if (setting("user/max_user_namespaces") === "0") return " (user.max_user_namespaces is 0)";
  if (setting("kernel/unprivileged_userns_clone") === "0") return " (kernel.unprivileged_userns_clone is 0)";
  return "";
}

function setting(name: string): string | undefined {
  try {
    return readFileSync(`/proc/sys/${name}`, "utf8").trim();
  } catch {
    return undefined; // this kernel does not have it
  }
}
