/**
 * After a command that met a read-only file: whose hold it was, for how long, and what to type. The kernel's own words name
 * none of this. Undefined where the words cannot come from a hold.
 */
import type { AgentCaller } from "../../contract/index.ts";
import { heldBy } from "../reservations/index.ts";
import { type ConfinePorts, stateIn } from "./confine-command.ts";
import { foreignHolds, type ForeignHold } from "./foreign-holds.ts";
import type { GuardPorts } from "./ports.ts";

const refusal = /read-only file system|EROFS|device or resource busy|EBUSY/i;
const crossing = /cross-device link|EXDEV/i;
const mostNamed = 3;

export async function explainBlocked(
  said: string,
  caller: AgentCaller,
  ports: ConfinePorts & Pick<GuardPorts, "liveness">,
): Promise<string | undefined> {
  const isRefused = refusal.test(said);
  if (!isRefused && !crossing.test(said)) return undefined;
  if (!(await stateIn(caller.tree, ports)).enforced) return undefined;
  const holds = await foreignHolds(caller.tree, caller, ports);
  if (holds.length === 0) return undefined;
  return isRefused ? whose(said, holds, ports) : acrossFolders;
}

const acrossFolders =
  'A folder with files that other agents hold is a mount of its own for your commands, so files cannot be renamed out of or into it (EXDEV); use "mv", then "git add", in place of "git mv"';

async function whose(
  said: string,
  holds: readonly ForeignHold[],
  ports: ConfinePorts & Pick<GuardPorts, "liveness">,
): Promise<string> {
  const all = holds.flatMap(({ record }) => [...record.paths, ...record.patterns].map((path) => ({ record, path })));
  const named = all.filter(({ path }) => said.includes(path.split("/").at(-1)!));
  const [first, ...rest] = named.length > 0 ? named : all;
  const { record, path } = first!;
  const cause = await heldBy({ record, witness: path }, ports.store.reader, ports);
  const others = rest.slice(0, mostNamed).map((one) => `"${one.path}" (${one.record.holder.name})`);
  const more = rest.length > mostNamed ? `, and ${rest.length - mostNamed} more` : "";
  const also = others.length === 0 ? "" : `. Also held: ${others.join(", ")}${more}`;
  return `What other agents hold is read-only for your commands: ${cause.message}${also}`;
}
