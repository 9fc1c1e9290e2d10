/**
 * Inbox: everything that waits for a person, the oldest first, folded by cause, decided by one key.
 *
 *   j, k  next, previous      a  approve      r  reject      c  answer a question (or click)
 */
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from "react";
import type { InboxItem } from "../daemon/contract.ts";
import { useLive } from "../live/live-context.tsx";
import { Answered, Empty } from "../parts/section.tsx";
import { isTyping } from "../shell/use-shortcuts.ts";
import { useProject } from "../shell/use-project.ts";
import { foldCauses, type InboxGroup } from "./fold-causes.ts";
import { InboxCard, type Decide } from "./inbox-card.tsx";
import { useAction } from "../shell/use-action.ts";

export function InboxPage(): ReactNode {
  const project = useProject();
  const answer = useLive("approval.list", { limit: 500, all: project === undefined }, { project });
  const groups = useMemo(() => foldCauses(answer.data?.items ?? []), [answer.data]);
  return (
    <div className="page inbox">
      <header className="page-head">
        <h2>Inbox</h2>
        <p className="quiet keys">
          <kbd>j</kbd> <kbd>k</kbd> move · <kbd>a</kbd> approve · <kbd>r</kbd> reject
        </p>
      </header>
      <Answered answer={answer}>
        {() =>
          groups.length === 0 ? (
            <Empty command='sylk run "…"'>Nothing waits for you. Plans, commands and questions of runs appear here.</Empty>
          ) : (
            <Groups groups={groups} />
          )
        }
      </Answered>
    </div>
  );
}

function Groups({ groups }: { readonly groups: readonly InboxGroup[] }): ReactNode {
  const { act, isBusy } = useAction();
  const [chosen, setChosen] = useState(0);
  const index = Math.min(chosen, groups.length - 1);
  const decide = useCallback<Decide>(
    async (items, decision, terms = {}) => {
      for (const item of items)
        await act("approval.decide", { id: item.id, decision, ...terms }, { done: sayDone(item, decision) });
    },
    [act],
  );
  useInboxKeys({ groups, index, setChosen, decide });
  return (
    <ul className="inbox-groups">
      {groups.map((group, place) => (
        <InboxCard
          key={group.key}
          group={group}
          isChosen={place === index}
          onChoose={() => setChosen(place)}
          isBusy={isBusy}
          decide={decide}
        />
      ))}
    </ul>
  );
}

function sayDone({ kind, about, question }: InboxItem, decision: string): string {
  const past = { approve: "Approved", reject: "Rejected", answer: "Answered" }[decision] ?? decision;
  return `${past}: ${kind === "plan" && about !== undefined ? about : question}`;
}

type KeyTerms = {
  readonly groups: readonly InboxGroup[];
  readonly index: number;
  readonly setChosen: (index: number) => void;
  readonly decide: Decide;
};

function useInboxKeys(terms: KeyTerms): void {
  const latest = useRef(terms);
  latest.current = terms;
  useEffect(() => {
    const onKey = (pressed: KeyboardEvent): void => {
      if (isTyping(pressed.target) || pressed.ctrlKey || pressed.metaKey || pressed.altKey) return;
      const { groups, index, setChosen, decide } = latest.current;
      const group = groups[index];
      if (group === undefined) return;
      const isQuestion = group.items[0]!.kind === "question";
      if (pressed.key === "j") setChosen(Math.min(groups.length - 1, index + 1));
      else if (pressed.key === "k") setChosen(Math.max(0, index - 1));
      else if (pressed.key === "a" && !isQuestion) void decide(group.items, "approve");
      else if (pressed.key === "r") void decide(group.items, "reject");
      else return;
      pressed.preventDefault();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
}
