/** The variables of the calling shell that commands of a run need; keys and tokens stay behind. */
export function carriedEnvironment(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const names = ["PATH", "HOME", "USER", "LANG", "LC_ALL", "TMPDIR", "SHELL", "NODE_EXTRA_CA_CERTS"];
  return Object.fromEntries(names.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])));
}
