/** Guards: what each does when nobody can be asked, by the user's settings, and what the user overrides for a while. */
import { guard as contract, type Guard, type GuardMode, type InputOf, type OutputOf } from "../../contract/index.ts";
import { actorOf, type AuditRepository } from "../../platform/audit/index.ts";
import type { Clock } from "../../platform/clock/index.ts";
import type { Call } from "../../platform/operations/index.ts";
import type { GuardOverride, GuardRepository } from "./store.ts";

type Repositories = { readonly guards: GuardRepository; readonly audit: AuditRepository };
type Ports = {
  readonly reader: Pick<Repositories, "guards">;
  readonly clock: Clock;
  readonly modes: Readonly<Record<Guard["guard"], GuardMode>>;
};

export async function listGuards({ reader, clock, modes }: Ports): Promise<OutputOf<"guard.list">> {
  const overrides = await reader.guards.overrides();
  const now = clock.now();
  return {
    items: contract.GuardName.options.map((name) => {
      const override = overrides.find(({ guard, until }) => guard === name && until > now);
      return viewOf(name, modes[name], override);
    }),
  };
}

export function overrideGuard(
  { guard, why, minutes }: InputOf<"guard.override">,
  { caller, transact }: Call<Repositories>,
  { clock, modes }: Ports,
): Promise<OutputOf<"guard.override">> {
  return transact("guards", async (tx) => {
    const override = { guard, why, until: clock.now() + minutes * 60_000 };
    await tx.guards.setOverride(override);
    await tx.audit.append({
      actor: actorOf(caller),
      action: minutes === 0 ? "guard.restored" : "guard.overridden",
      subject: guard,
      project: caller.project?.id,
      details: { minutes, why },
    });
    return { guard: viewOf(guard, modes[guard], minutes === 0 ? undefined : override) };
  });
}

function viewOf(guard: Guard["guard"], mode: GuardMode, override: GuardOverride | undefined): Guard {
  return { guard, mode, ...(override === undefined ? {} : { override: { until: override.until, why: override.why } }) };
}
