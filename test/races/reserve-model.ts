/**
 * One path as a single thread would see it: one exclusive hold or any number of shared ones, and every grant's fencing
 * token above all earlier ones of this path.
 */
import type { Model, Timed } from "./linearize.ts";

type Mode = "shared" | "exclusive";
type Grant = { readonly id: string; readonly token: number; readonly mode: Mode };

export type ReserveCall = Timed & { readonly agent: string } & (
    | { readonly do: "acquire"; readonly mode: Mode; readonly said: Grant | { readonly holder: string } }
    | { readonly do: "renew"; readonly id: string; readonly said: { readonly token: number } | "lost" }
    | { readonly do: "release"; readonly id: string; readonly said: "done" | "lost" }
    | {
        readonly do: "check";
        readonly said: "free" | "yours" | { readonly state: "shared" | "taken"; readonly holder: string };
      }
  );

type Path = { readonly holds: Readonly<Record<string, Grant>>; readonly last: number };

export const reserveModel: Model<Path, ReserveCall> = {
  initial: { holds: {}, last: 0 },
  nameOf: ({ holds, last }) => {
    const held = Object.entries(holds).map(([agent, { id, token, mode }]) => `${agent}:${id}:${token}:${mode}`);
    return `${held.sort().join(" ") || "free"} ${last}`;
  },
  apply(path, call) {
    const own = path.holds[call.agent];
    if (call.do === "acquire") return acquired(path, call.agent, call.mode, call.said);
    if (call.do === "check") return isSo(path, call.agent, call.said) ? path : undefined;
    const holds = own?.id === call.id;
    if (call.said === "lost") return holds ? undefined : path;
    if (!holds) return undefined;
    if (call.do === "release") return withHold(path, call.agent, undefined);
    return call.said.token === own.token ? path : undefined;
  },
};

/**
 * The grants of a path numbered 1, 2, 3 by their tokens. A project counts its tokens over all paths; that they grow on
 * each path is then the same as "the next grant has the next number", which leaves the search no choice.
 */
export function numberGrants(calls: readonly ReserveCall[]): readonly ReserveCall[] {
  const tokens = calls.flatMap((call) => (call.do === "acquire" && "token" in call.said ? [call.said.token] : []));
  const numbers = new Map([...new Set(tokens)].sort((a, b) => a - b).map((token, index) => [token, index + 1]));
  return calls.map((call): ReserveCall => {
    if (call.do === "acquire" && "token" in call.said)
      return { ...call, said: { ...call.said, token: numbers.get(call.said.token)! } };
    // A token that nobody was ever granted fits nowhere.
    if (call.do === "renew" && call.said !== "lost")
      return { ...call, said: { token: numbers.get(call.said.token) ?? -1 } };
    return call;
  });
}

function acquired(path: Path, agent: string, mode: Mode, said: Grant | { readonly holder: string }): Path | undefined {
  const own = path.holds[agent];
  const wanted = own?.mode === "exclusive" ? "exclusive" : mode;
  const blockers = blockersOf(path, agent, wanted);
  if ("holder" in said) return blockers.includes(said.holder) ? path : undefined;
  if (blockers.length > 0 || said.mode !== wanted) return undefined;
  if (own !== undefined && own.mode === wanted)
    return said.id === own.id && said.token === own.token ? path : undefined;
  if (said.token !== path.last + 1 || (own !== undefined && said.id !== own.id)) return undefined;
  return { ...withHold(path, agent, said), last: said.token };
}

function blockersOf({ holds }: Path, agent: string, mode: Mode): readonly string[] {
  const others = Object.keys(holds).filter((other) => other !== agent);
  return others.filter((other) => mode === "exclusive" || holds[other]!.mode === "exclusive");
}

/** As the guard asks before a write: somebody else's exclusive hold goes before one's own, a shared one too. */
function isSo(path: Path, agent: string, said: (ReserveCall & { readonly do: "check" })["said"]): boolean {
  const others = blockersOf(path, agent, "exclusive");
  if (typeof said === "string") return others.length === 0 && (said === "yours") === (path.holds[agent] !== undefined);
  const hold = path.holds[said.holder];
  return others.includes(said.holder) && hold?.mode === (said.state === "taken" ? "exclusive" : "shared");
}

function withHold({ holds, last }: Path, agent: string, grant: Grant | undefined): Path {
  const { [agent]: _, ...others } = holds;
  return { last, holds: grant === undefined ? others : { ...others, [agent]: grant } };
}
