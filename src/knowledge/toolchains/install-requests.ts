/**
 * Installations that agents ask for: each waits for a person among everything else that does, and is carried out after a yes.
 *
 *   agent: tool.install -> plan, nothing done -> waits -> approve: installed, verified -> the agent's next call says installed
 *                                                      -> reject: the same question is refused from then on
 *
 * Kept in memory: a request ends with the daemon, and the agent's next call asks anew.
 */
import {
  type AgentCaller,
  type ApprovalId,
  DomainError,
  type InboxItem,
  type Installation,
  type InputOf,
  type ProjectId,
} from "../../contract/index.ts";
import type { Clock } from "../../platform/clock/index.ts";
import type { IdSource } from "../../platform/ids/index.ts";
import type { ToolInstaller } from "./install-tool.ts";

type Wanted = Omit<InputOf<"tool.install">, "path"> & { readonly path: string };
type Asked = {
  readonly item: InboxItem & { readonly id: ApprovalId };
  readonly key: string;
  readonly project: ProjectId;
  readonly wanted: Wanted;
};
type Ports = {
  readonly installer: Pick<ToolInstaller, "install" | "refuseOff">;
  readonly clock: Pick<Clock, "now">;
  readonly ids: IdSource;
};
export type InstallRequests = ReturnType<typeof createInstallRequests>;

const mostWaiting = 20;
const mostRemembered = 1_000;

export function createInstallRequests({ installer, clock, ids }: Ports) {
  const waiting = new Map<ApprovalId, Asked>();
  /** By what was asked, with the reason. */
  const rejected = new Map<string, string | undefined>();

  function refuse(key: string, { agent }: AgentCaller): void {
    const needed = { details: { needed: "a person's yes: sylk tools install" } };
    if (rejected.has(key)) {
      const reason = rejected.get(key);
      const said = reason === undefined ? "" : `: ${reason}`;
      throw new DomainError("caller.denied", `A person rejected this installation${said}; work without it`, needed);
    }
    if ([...waiting.values()].filter(({ item }) => item.by === agent.name).length >= mostWaiting)
      throw new DomainError("caller.denied", `${mostWaiting} of your installations wait for a person already`, needed);
  }

  return {
    async ask(wanted: Wanted, caller: AgentCaller): Promise<Installation> {
      const plan = await installer.install({ ...wanted, dryRun: true });
      if (plan.installed) return { ...plan, dryRun: false };
      await installer.refuseOff(wanted.path);
      const key = JSON.stringify([caller.agent.id, wanted.tool, wanted.path]);
      const known = [...waiting.values()].find((one) => one.key === key);
      if (known !== undefined) return { ...plan, waits: known.item.id };
      refuse(key, caller);
      const item = itemOf(plan, caller, ids.next("apr"), clock.now());
      waiting.set(item.id, { item, key, project: caller.project.id, wanted });
      return { ...plan, waits: item.id };
    },
    waiting: (project: ProjectId | undefined): readonly InboxItem[] =>
      [...waiting.values()].filter((one) => project === undefined || one.project === project).map(({ item }) => item),
    find: (id: string): { readonly item: InboxItem; readonly project: ProjectId } | undefined =>
      waiting.get(id as ApprovalId),
    /** An installation that fails waits on: the person may approve it again or reject it. */
    async decide(id: string, decision: "approve" | "reject", reason: string | undefined): Promise<InboxItem> {
      const { item, key, wanted } = waiting.get(id as ApprovalId)!;
      if (decision === "approve") await installer.install({ ...wanted, dryRun: false });
      else {
        if (rejected.size >= mostRemembered) rejected.clear();
        rejected.set(key, reason);
      }
      waiting.delete(item.id);
      const status = decision === "approve" ? "approved" : "rejected";
      return { ...item, status, decidedAt: clock.now(), ...(reason === undefined ? {} : { reason }) };
    },
  };
}

function itemOf(
  { tool, path, command, files }: Installation,
  { agent, project }: AgentCaller,
  id: ApprovalId,
  now: number,
) {
  return {
    id,
    kind: "install" as const,
    question: `Install ${tool}?`,
    details: [`in ${path}: ${command.join(" ")}`, ...files.map((file) => `may change ${file}`)],
    status: "waiting" as const,
    createdAt: now,
    by: agent.name,
    project: project.name,
    byDefault: "nothing is installed",
    holdsFor: `this installation in this folder`,
  };
}
