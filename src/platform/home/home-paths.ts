/**
 * The files and folders of a home. The socket moves to a short folder of the user's where the home's own path would be too
 * long; that folder depends on home and user alone, so that commands and daemon agree on it whatever their environment.
 */
import { join, resolve } from "node:path";

export type HomePaths = {
  readonly home: string;
  readonly database: string;
  readonly socket: string;
  readonly token: string;
  readonly logs: string;
  /** Held by the running daemon; the kernel frees it. */
  readonly lock: string;
  /** What the running daemon says of itself (pid, port); information, never a lock. */
  readonly record: string;
  readonly config: string;
  /** The version that served this home last, so that no older one takes over by itself. */
  readonly servedBy: string;
  /** The port of the last daemon, which the next one takes again. */
  readonly keptPort: string;
  /** What guards do without a daemon; for the launcher. */
  readonly guards: string;
  /** Repositories' settings that the user has agreed to. */
  readonly trustedSettings: string;
  /** Browsers that are signed in, by the hash of their cookie. */
  readonly browsers: string;
};

/** The kernel's limit is 104 bytes on macOS and 108 on Linux, terminator included. */
const longestSocketPath = 100;

export function homePaths(env: Readonly<Record<string, string | undefined>>): HomePaths {
  const home = resolve(env.SYLK_HOME || join(userFolder(), ".sylk"));
  return {
    home,
    database: join(home, "sylk.db"),
    socket: socketPath(home),
    token: join(home, "token"),
    logs: join(home, "log"),
    lock: join(home, "daemon.lock"),
    record: join(home, "daemon.json"),
    config: join(home, "config.yaml"),
    servedBy: join(home, "served-by"),
    keptPort: join(home, "port.json"),
    guards: join(home, "guards"),
    trustedSettings: join(home, "trusted-settings.json"),
    browsers: join(home, "browsers.json"),
  };
}

/** As `homedir` finds it, whose module is loaded only where the variable is missing. */
function userFolder(): string {
  return process.env["HOME"] || process.getBuiltinModule("node:os").homedir();
}

function socketPath(home: string): string {
  const own = join(home, "sylk.sock");
  if (Buffer.byteLength(own) <= longestSocketPath) return own;
  // Loaded only here: few homes need it, and every command would pay for it.
  const { createHash } = process.getBuiltinModule("node:crypto");
  const short = createHash("sha256").update(home).digest("hex").slice(0, 16);
  return join("/tmp", `sylk-${process.getuid?.() ?? "user"}`, `${short}.sock`);
}
