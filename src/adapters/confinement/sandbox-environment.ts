/** Variables of a sandboxed command: caches lead to the run's own folder, and names of sockets outside are left out. */
import { join } from "node:path";

/** The first ones would take effect in what starts the sandbox, too. */
const leftOut =
  /^(LD_PRELOAD$|LD_AUDIT$|BASH_ENV$|ENV$|SYLK_|SSH_|GPG_|DBUS_|GIT_|XDG_RUNTIME_DIR$|DOCKER_HOST$|NODE_COMPILE_CACHE$)/;

export function sandboxEnvironment(
  env: Readonly<Record<string, string>>,
  { caches, gitConfig }: { readonly caches: string; readonly gitConfig: string },
): Readonly<Record<string, string>> {
  const at = (name: string): string => join(caches, name);
  return {
    ...Object.fromEntries(Object.entries(env).filter(([name]) => !leftOut.test(name))),
    TMPDIR: "/tmp",
    GOCACHE: at("go"),
    GOLANGCI_LINT_CACHE: at("golangci-lint"),
    npm_config_cache: at("npm"),
    PIP_CACHE_DIR: at("pip"),
    PYTHONPYCACHEPREFIX: at("python"),
    UV_CACHE_DIR: at("uv"),
    XDG_STATE_HOME: at("state"),
    GIT_CONFIG_GLOBAL: gitConfig,
    // Looking must not want to write.
    GIT_OPTIONAL_LOCKS: "0",
    SYLK_SANDBOX: "1",
  };
}
