/** What a person can do with a whole run or graph. What loses something asks first; the daemon has the last word. */
import { type ReactNode, useState } from "react";
import type { Run } from "../daemon/contract.ts";
import { useAction } from "../shell/use-action.ts";
import { AskDialog, type Asked } from "../parts/ask-dialog.tsx";
import type { Graph } from "./read-graph.ts";

type RunActionsProps = {
  readonly graph: Graph;
  readonly status: string;
  readonly run?: Run;
  readonly budget?: number | undefined;
};

export function RunActions({ graph, status, run, budget }: RunActionsProps): ReactNode {
  const { act, isBusy } = useAction();
  const [asked, setAsked] = useState<Asked>();
  const { kind } = graph;
  const id = { id: graph.id as never };
  const isOpen = !graph.hasEnded;
  const pause = (): void =>
    void act(`${kind}.pause`, id, { done: "Paused. Running nodes finish; no further one starts." });
  const resume = (): void => void act(`${kind}.resume`, id, { done: "Resumed" });
  const ask = (
    terms: Omit<Asked, "onConfirm">,
    onConfirm: (values: Readonly<Record<string, string>>) => Promise<unknown>,
  ) => setAsked({ ...terms, onConfirm: async (values) => (await onConfirm(values)) !== undefined });
  const askInterrupt = (): void =>
    ask(
      {
        title: "Interrupt?",
        explanation: "Running nodes stop now. They start again from the beginning on resume.",
        confirm: "Interrupt",
        isDanger: true,
      },
      () =>
        kind === "run"
          ? act("run.interrupt", id, { done: "Interrupted" })
          : act("dag.pause", { ...id, abort: true }, { done: "Interrupted" }),
    );
  const askCancel = (): void =>
    ask(
      {
        title: "Cancel?",
        explanation:
          kind === "run"
            ? "The run ends. Its changes stay on its branch."
            : "The graph ends, and its running nodes stop.",
        confirm: "Cancel it",
        isDanger: true,
      },
      () => act(`${kind}.cancel`, id, { done: "Cancelled" }),
    );
  return (
    <>
      <div className="decision run-actions">
        {isOpen && status !== "paused" ? (
          <>
            <button type="button" disabled={isBusy} onClick={pause}>
              Pause
            </button>
            <button type="button" disabled={isBusy} onClick={askInterrupt}>
              Interrupt…
            </button>
          </>
        ) : null}
        {status === "paused" || (kind === "run" && status === "blocked") ? (
          <button type="button" className="primary" disabled={isBusy} onClick={resume}>
            Resume
          </button>
        ) : null}
        {run === undefined ? null : <ChangeActions run={run} budget={budget} ask={ask} isBusy={isBusy} act={act} />}
        {isOpen ? (
          <button type="button" className="danger" disabled={isBusy} onClick={askCancel}>
            Cancel…
          </button>
        ) : null}
      </div>
      {asked === undefined ? null : <AskDialog asked={asked} onClose={() => setAsked(undefined)} />}
    </>
  );
}

type ChangeActionsProps = {
  readonly run: Run;
  readonly budget: number | undefined;
  readonly isBusy: boolean;
  readonly act: ReturnType<typeof useAction>["act"];
  readonly ask: (
    terms: Omit<Asked, "onConfirm">,
    onConfirm: (values: Readonly<Record<string, string>>) => Promise<unknown>,
  ) => void;
};

function ChangeActions({ run, budget, ask, act, isBusy }: ChangeActionsProps): ReactNode {
  const { id, status, outcome, commit } = run;
  const isSettled = outcome !== "open";
  const hasEnded = ["verified", "unverified", "failed", "cancelled"].includes(status);
  const isVerified = status === "verified";
  const askMerge = (): void =>
    ask(
      {
        title: "Merge into your working tree?",
        explanation: isVerified
          ? "The change was verified. It becomes a merge commit in your repository."
          : "The checks did not verify this change. It becomes a merge commit in your repository.",
        confirm: "Merge",
        fields: isVerified
          ? []
          : [{ kind: "consent", name: "unverified", label: "Merge although it is not verified", needed: true }],
      },
      ({ unverified = "" }) => act("run.merge", { id, unverified: unverified !== "" }, { done: "Merged" }),
    );
  const askDiscard = (): void =>
    ask(
      {
        title: "Discard the change?",
        explanation: "Its working tree is removed. Its changes stay in quarantine, as a git reference.",
        confirm: "Discard",
        isDanger: true,
      },
      () => act("run.discard", { id }, { done: "Discarded" }),
    );
  const askFeedback = (): void =>
    ask(
      {
        title: hasEnded ? "Continue with feedback" : "Change the plan with feedback",
        explanation: "Sylk makes a new plan from it, which waits for your approval.",
        confirm: "Send the feedback",
        fields: [
          { kind: "text", name: "text", label: "What to do differently, or in addition", needed: true, lines: 4 },
        ],
      },
      ({ text = "" }) => act("run.feedback", { id, text }, { done: "Sent. A new plan is made." }),
    );
  const askBudget = (): void =>
    ask(
      {
        title: "Raise the token limit",
        explanation: `The limit is ${budget?.toLocaleString("en")} tokens now. The old limit, the new one and your reason go into the audit.`,
        confirm: "Raise the limit",
        fields: [
          { kind: "number", name: "tokens", label: "New limit in tokens", needed: true },
          { kind: "text", name: "reason", label: "Reason", needed: true },
        ],
      },
      ({ tokens = "", reason = "" }) =>
        act(
          "run.budget",
          { id, tokens: Number(tokens.replaceAll(/[ ,._]/g, "")), reason },
          { done: "The limit is raised" },
        ),
    );
  return (
    <>
      {!isSettled && commit !== undefined && (isVerified || status === "unverified") ? (
        <button type="button" className="primary" disabled={isBusy} onClick={askMerge}>
          Merge…
        </button>
      ) : null}
      {!isSettled && (hasEnded || status === "awaiting_approval") ? (
        <button type="button" disabled={isBusy} onClick={askFeedback}>
          {hasEnded ? "Continue with feedback…" : "Change it with feedback…"}
        </button>
      ) : null}
      {budget === undefined ? null : (
        <button type="button" disabled={isBusy} onClick={askBudget}>
          Raise budget…
        </button>
      )}
      {!isSettled && (hasEnded || status === "paused") ? (
        <button type="button" className="danger" disabled={isBusy} onClick={askDiscard}>
          Discard…
        </button>
      ) : null}
    </>
  );
}
