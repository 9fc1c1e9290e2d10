/**
 * What a run's processes see of the world: commands, the variables the caller chose and nothing that looks like a key; the
 * worker, only what programs and connections need. It gets its key by its channel, whatever the key's variable is called.
 */
type Variables = Readonly<Record<string, string | undefined>>;

/** Taken from the daemon when a caller, such as an MCP client, has no shell whose variables it could name. */
const needed = ["PATH", "HOME", "USER", "LANG", "TMPDIR"];
const secret = /(KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?)(_|$)/i;

export function commandEnvironment(given: Variables, own: Variables): Readonly<Record<string, string>> {
  const base = given.PATH === undefined ? needed.map((name) => [name, own[name]] as const) : [];
  const entries = [...base, ...Object.entries(given)];
  return Object.fromEntries(
    entries.filter((entry): entry is [string, string] => entry[1] !== undefined && !secret.test(entry[0])),
  );
}

const ofToolchains =
  /^(GO(PATH|ROOT|CACHE|MODCACHE|PROXY)|CARGO_HOME|RUSTUP_\w+|JAVA_HOME|VIRTUAL_ENV|PYENV_ROOT|XDG_\w+|LC_\w+)$/;

/** For programs that the daemon runs for all callers, such as language servers: they also need the places of toolchains. */
export function programEnvironment(own: Variables): Readonly<Record<string, string>> {
  return commandEnvironment(Object.fromEntries(Object.entries(own).filter(([name]) => ofToolchains.test(name))), own);
}

const forWorker =
  /^(PATH|HOME|USER|LOGNAME|SHELL|LANG|LC_\w+|TZ|TMPDIR|XDG_\w+|NODE_(?:OPTIONS|COMPILE_CACHE|EXTRA_CA_CERTS|V8_COVERAGE)|SSL_CERT_\w+|(https?|all|no)_proxy|SYLK_\w+)$/i;

export function workerEnvironment(own: Variables): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(own).filter(
      (entry): entry is [string, string] =>
        entry[1] !== undefined && forWorker.test(entry[0]) && !secret.test(entry[0]),
    ),
  );
}
