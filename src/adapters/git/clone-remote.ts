/**
 * Clones a repository of another host: one protocol, no hooks, no submodules, no configuration of the user, no questions.
 * The token goes by the environment, never by an argument, and only to the host it belongs to.
 */
import { type Dirent } from "node:fs";
import { mkdir, readdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { DomainError } from "../../contract/index.ts";
import type { CloneRemote } from "../../knowledge/remote-scan/index.ts";
import type { CommandPort } from "../../orchestration/executors/index.ts";
import type { Clock } from "../../platform/clock/index.ts";
import { gitEnv } from "./run-git.ts";

type Ports = {
  readonly commands: Pick<CommandPort, "run">;
  readonly clock: Clock;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Makes git's words safe to show. */
  readonly clean: (text: string) => string;
};

const measureEveryMs = 200;
const defaultPorts: Readonly<Record<string, string>> = { https: "443", http: "80" };
const longestReason = 300;
/** Of git itself, whatever a repository or a user configured. */
const settings = [
  "core.hooksPath=/dev/null",
  "core.fsmonitor=false",
  "core.symlinks=false",
  "protocol.allow=never",
  "submodule.recurse=false",
  "credential.helper=",
  "http.followRedirects=false",
  "transfer.fsckObjects=true",
];

export function createRemoteCloner({ commands, clock, env, clean }: Ports): CloneRemote {
  return async ({ remote, into, isShallow, connectTo, maxBytes, timeoutMs, token, signal }) => {
    const { protocol: scheme, hostname, port } = new URL(remote.url);
    const protocol = scheme.slice(0, -1);
    const pinned =
      connectTo === undefined ? [] : [`http.curloptResolve=${hostname}:${port || defaultPorts[protocol]}:${connectTo}`];
    const fixed = [...settings, ...pinned, `protocol.${protocol}.allow=always`].flatMap((setting) => ["-c", setting]);
    const depth = isShallow ? ["--depth", "1"] : [];
    const how = ["--template=", "--single-branch", "--no-tags", "--no-recurse-submodules", ...depth];
    await mkdir(dirname(into), { recursive: true });
    const tooLarge = new AbortController();
    const watch = watchSize(into, maxBytes, clock, () => tooLarge.abort());
    const result = await commands
      .run({
        argv: ["git", ...fixed, "clone", "--quiet", ...how, "--", remote.url, into],
        cwd: dirname(into),
        env: { ...gitEnv(env), ...alone, ...authorised(remote.url, token) },
        timeoutMs,
        signal: AbortSignal.any([signal, tooLarge.signal]),
      })
      .finally(watch.stop);
    const bytes = await sizeOf(into);
    if (tooLarge.signal.aborted || bytes > maxBytes)
      throw failed(`it is larger than ${maxBytes} bytes (scan.maxBytes)`, { limit: maxBytes });
    if (result.end === "timed-out")
      throw failed(`it took longer than ${timeoutMs} ms (scan.timeoutMs)`, { limit: timeoutMs });
    if (result.end !== "exited" || result.exitCode !== 0)
      throw failed(clean(result.output).trim().slice(-longestReason) || `git ended: ${result.end}`);
    return { bytes };
  };

  function failed(reason: string, details: Readonly<Record<string, unknown>> = {}): DomainError {
    return new DomainError("workspace.unavailable", `The repository could not be cloned: ${reason}`, { details });
  }
}

const alone = {
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_ASKPASS: "/bin/false",
  GIT_LFS_SKIP_SMUDGE: "1",
};

/** As hosts take a token: the password of a user whose name does not matter. */
function authorised(url: string, token: string | undefined): Readonly<Record<string, string>> {
  if (token === undefined) return {};
  const value = Buffer.from(`x-access-token:${token}`).toString("base64");
  return {
    GIT_CONFIG_COUNT: "1",
    GIT_CONFIG_KEY_0: `http.${new URL(url).origin}/.extraHeader`,
    GIT_CONFIG_VALUE_0: `Authorization: Basic ${value}`,
  };
}

function watchSize(folder: string, maxBytes: number, clock: Clock, onLarge: () => void): { stop: () => void } {
  let isStopped = false;
  let timer = clock.after(measureEveryMs, look);
  function look(): void {
    void sizeOf(folder).then((bytes) => {
      if (isStopped) return;
      if (bytes > maxBytes) onLarge();
      else timer = clock.after(measureEveryMs, look);
    });
  }
  return {
    stop() {
      isStopped = true;
      timer.cancel();
    },
  };
}

/** Files come and go while git writes. */
async function sizeOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((): Dirent[] => []);
  let bytes = 0;
  for (const entry of entries) {
    const place = join(folder, entry.name);
    if (entry.isDirectory()) bytes += await sizeOf(place);
    else
      bytes += await stat(place).then(
        ({ size }) => size,
        () => 0,
      );
  }
  return bytes;
}
