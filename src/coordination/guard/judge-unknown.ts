/**
 * What cannot be known about a call before it runs: targets of a command, a program or a tool as a whole.
 *
 *   deny    let pass and remembered; told later if other agents hold files in the tree and the kernel does not keep them
 *   warn    the same, and said at once
 *   strict  unknown targets are refused; an unknown program or tool only while such files are at stake, else strict could
 *           not run a test
 */
import { DomainError, type AgentCaller, type InputOf } from "../../contract/index.ts";
import { foreignHolds } from "./foreign-holds.ts";
import type { GuardPorts } from "./ports.ts";

export type Doubts = Pick<InputOf<"guard.write">, "unknown" | "programs" | "tools">;
export type JudgedUnknown = {
  readonly atStake: readonly { readonly what: string; readonly isAtStake: boolean }[];
  readonly warnings: readonly string[];
};

const nothing: JudgedUnknown = { atStake: [], warnings: [] };

export async function judgeUnknown(
  { unknown, programs, tools }: Doubts,
  caller: AgentCaller,
  ports: GuardPorts,
): Promise<JudgedUnknown> {
  if (unknown.length + programs.length + tools.length === 0) return nothing;
  const { tree, agent } = caller;
  const areHeld = (await foreignHolds(tree, caller, ports)).length > 0;
  const isOpen = areHeld && (await ports.shells.of({ ...agent, tree })).shell !== "enforced";
  const named = [
    ...unknown.map((what) => ({ what, isAtStake: isOpen, isTarget: true })),
    ...programs.map((name) => ({ what: `${name}: its writes are unknown`, isAtStake: isOpen, isTarget: false })),
    // The kernel guards the processes of a shell, not the server of a tool.
    ...tools.map((name) => ({ what: `${name}: the tool's writes are unknown`, isAtStake: areHeld, isTarget: false })),
  ];
  const policy = await ports.policyFor(tree);
  if (policy === "deny") return { atStake: named, warnings: [] };
  const said = named.filter(({ isAtStake, isTarget }) => isAtStake || isTarget).map(({ what }) => what);
  if (said.length === 0) return { atStake: named, warnings: [] };
  const message = `this has unknown write targets: ${said.join("; ")}`;
  if (policy === "warn") return { atStake: named, warnings: [message] };
  throw new DomainError(
    "write.unknown",
    `Stopped, because ${message}; name the files in the command (guard.policy is strict)`,
    { details: { unknown: said } },
  );
}
