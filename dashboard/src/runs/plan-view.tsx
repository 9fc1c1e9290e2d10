/** The plan: its work, the checks that will judge it, the decision, and changes of work that has not started. */
import { type ReactNode, useState } from "react";
import type { Run, RunNode } from "../daemon/contract.ts";
import { CommandLine } from "../parts/command-line.tsx";
import { useAction } from "../shell/use-action.ts";
import { AskDialog, type Asked } from "../parts/ask-dialog.tsx";
import { PlanVersions } from "./plan-versions.tsx";
import { type Graph, hasEnded, hasNotStarted } from "./read-graph.ts";

export function PlanView({ run, graph }: { readonly run: Run; readonly graph: Graph }): ReactNode {
  const { act, isBusy } = useAction();
  const [asked, setAsked] = useState<Asked>();
  const { id, plan, version } = run;
  if (plan === undefined) return <p className="quiet">There is no plan yet.</p>;
  const work = run.nodes.filter(({ kind }) => kind === "engineer");
  const engineers = new Set<string>(work.map((node) => node.id));
  const adjust = (terms: object, done: string): Promise<boolean> =>
    act("run.adjust", { id, expectedVersion: version, ...terms }, { done }).then((output) => output !== undefined);
  const edit = (node: RunNode | undefined): void =>
    setAsked({
      title: node === undefined ? "Add work to the plan" : `Change “${node.title}”`,
      explanation: "The changed plan needs approval. It is refused if the plan has changed meanwhile.",
      confirm: node === undefined ? "Add" : "Change",
      fields: [
        { kind: "text", name: "title", label: "What holds when it is done", needed: true, value: node?.title ?? "" },
        { kind: "text", name: "prompt", label: "What to do", needed: true, lines: 6, value: node?.prompt ?? "" },
      ],
      onConfirm: ({ title = "", prompt = "" }) => {
        const terms = { title, prompt, dependsOn: (node?.dependsOn ?? []).filter((parent) => engineers.has(parent)) };
        const files = node?.files === undefined ? {} : { files: node.files };
        return adjust({ nodes: { [node?.id ?? "added"]: { ...terms, ...files } } }, "The plan is changed");
      },
    });
  const remove = (node: RunNode): void =>
    setAsked({
      title: `Remove “${node.title}”?`,
      explanation: "The work leaves the plan.",
      confirm: "Remove",
      isDanger: true,
      onConfirm: () => adjust({ remove: [node.id] }, "The plan is changed"),
    });
  const decide = (decision: "approve" | "reject", reason = ""): Promise<boolean> =>
    act(
      "run.answer",
      { id, decision, ...(reason === "" ? {} : { reason }) },
      { done: decision === "approve" ? "The plan is approved" : "The plan is rejected" },
    ).then((output) => output !== undefined);
  const askReject = (): void =>
    setAsked({
      title: "Reject the plan?",
      explanation: "The run ends without a change.",
      confirm: "Reject",
      isDanger: true,
      fields: [{ kind: "text", name: "reason", label: "Reason (optional)" }],
      onConfirm: ({ reason }) => decide("reject", reason),
    });
  return (
    <div className="plan">
      <h3>Plan</h3>
      <p className="text">{plan.summary}</p>
      {run.status === "awaiting_approval" ? (
        <>
          <div className="decision">
            <button type="button" className="primary" disabled={isBusy} onClick={() => void decide("approve")}>
              Approve the plan
            </button>
            <button type="button" className="danger" disabled={isBusy} onClick={askReject}>
              Reject…
            </button>
          </div>
          <p className="quiet">The decision holds for this run alone.</p>
          <CommandLine text={`sylk approve ${id}`} />
        </>
      ) : null}
      <ol aria-label="Work of the plan">
        {work.map((node) => (
          <li key={node.id} className="plan-node">
            <strong>
              <bdi>{node.title}</bdi>
            </strong>
            <p className="text quiet">{node.prompt}</p>
            {hasNotStarted(node) && !hasEnded(run.status) ? (
              <p className="decision">
                <button type="button" className="small" onClick={() => edit(node)} aria-label={`Change ${node.title}`}>
                  Change…
                </button>
                <button
                  type="button"
                  className="small"
                  onClick={() => remove(node)}
                  aria-label={`Remove ${node.title}`}
                >
                  Remove…
                </button>
              </p>
            ) : null}
          </li>
        ))}
      </ol>
      {hasEnded(run.status) ? null : (
        <p>
          <button type="button" onClick={() => edit(undefined)}>
            Add work…
          </button>
        </p>
      )}
      {plan.existing === undefined ? null : (
        <>
          <h3>Exists already</h3>
          <ul aria-label="Exists already">
            {plan.existing.map(({ title, files }) => (
              <li key={title}>
                <bdi>{title}</bdi> <code>{files.join(" ")}</code>
              </li>
            ))}
          </ul>
        </>
      )}
      <h3>Checks that judge the change</h3>
      {plan.checks === undefined || plan.checks.length === 0 ? <p className="quiet">None is named.</p> : null}
      {(plan.checks ?? []).map(({ kind, command, source }) => (
        <p key={kind}>
          {kind}: <code>{command.join(" ")}</code> <span className="quiet">({source})</span>
        </p>
      ))}
      <PlanVersions run={run} graph={graph} />
      {asked === undefined ? null : <AskDialog asked={asked} onClose={() => setAsked(undefined)} />}
    </div>
  );
}
