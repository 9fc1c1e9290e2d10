/** What commands of a run see of the world: variables the caller chose, and nothing that looks like a key. */
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
