/** What a person can do with one node: retry, skip, approve, reject. */
import { type ReactNode, useState } from "react";
import { CommandLine } from "../parts/command-line.tsx";
import { useAction } from "../shell/use-action.ts";
import { AskDialog, type Asked } from "../parts/ask-dialog.tsx";
import type { Graph, GraphNode } from "./read-graph.ts";

type NodeActionsProps = { readonly graph: Graph; readonly node: GraphNode; readonly needsAnswer: boolean };

export function NodeActions({ graph: { id, kind, hasEnded }, node, needsAnswer }: NodeActionsProps): ReactNode {
  const { act, isBusy } = useAction();
  const [asked, setAsked] = useState<Asked>();
  const target = { id: id as never, node: node.id };
  const canRetry = ["failed", "skipped", "cancelled"].includes(node.state);
  const canSkip = !hasEnded && ["pending", "queued", "blocked", "failed"].includes(node.state);
  const retry = (): void => void act(`${kind}.retry`, target, { done: `Retrying ${node.title}` });
  const decide = (decision: "approve" | "reject", reason?: string): Promise<boolean> =>
    act(
      `${kind}.answer`,
      { ...target, decision, ...(reason === undefined || reason === "" ? {} : { reason }) },
      { done: decision === "approve" ? `Approved: ${node.title}` : `Rejected: ${node.title}` },
    ).then((output) => output !== undefined);
  const askReject = (): void =>
    setAsked({
      title: `Reject ${node.title}?`,
      explanation: "The node does not run. Nodes that depend on it are skipped.",
      confirm: "Reject",
      isDanger: true,
      fields: [{ kind: "text", name: "reason", label: "Reason (optional)" }],
      onConfirm: ({ reason = "" }) => decide("reject", reason),
    });
  const askSkip = (): void =>
    setAsked({
      title: `Skip ${node.title}?`,
      explanation:
        "The node does not run. Nodes that depend on it are skipped, unless you let them run without its result.",
      confirm: "Skip the node",
      isDanger: true,
      fields: [
        { kind: "text", name: "reason", label: "Reason (optional)" },
        { kind: "consent", name: "treatAsDone", label: "Dependent nodes run without its result" },
      ],
      onConfirm: async ({ reason = "", treatAsDone = "" }) => {
        const terms = { ...target, treatAsDone: treatAsDone !== "", ...(reason === "" ? {} : { reason }) };
        return (await act(`${kind}.skip`, terms, { done: `Skipped ${node.title}` })) !== undefined;
      },
    });
  return (
    <>
      <div className="decision">
        {needsAnswer ? (
          <>
            <button type="button" className="primary" disabled={isBusy} onClick={() => void decide("approve")}>
              Approve
            </button>
            <button type="button" className="danger" disabled={isBusy} onClick={askReject}>
              Reject…
            </button>
          </>
        ) : null}
        {canRetry ? (
          <button type="button" disabled={isBusy} onClick={retry}>
            Retry
          </button>
        ) : null}
        {canSkip ? (
          <button type="button" disabled={isBusy} onClick={askSkip}>
            Skip…
          </button>
        ) : null}
      </div>
      {needsAnswer ? <p className="quiet">The decision holds for this node alone.</p> : null}
      {canRetry ? <CommandLine text={`sylk ${kind} retry ${id} ${node.id}`} /> : null}
      {canSkip ? <CommandLine text={`sylk ${kind} skip ${id} ${node.id}`} /> : null}
      {asked === undefined ? null : <AskDialog asked={asked} onClose={() => setAsked(undefined)} />}
    </>
  );
}
