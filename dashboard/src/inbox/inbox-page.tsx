/** Inbox: everything that waits for a person, the oldest first, folded by cause, decided by one key. */
import { type ReactNode, useCallback, useMemo } from "react";
import type { InboxItem } from "../daemon/contract.ts";
import { useDaemon, useLive } from "../live/live-context.tsx";
import { CommandLine } from "../parts/command-line.tsx";
import { Answered, Empty } from "../parts/section.tsx";
import { useAction } from "../shell/use-action.ts";
import { useProject } from "../shell/use-project.ts";
import { decideGroup } from "./decide-group.ts";
import { foldCauses, type InboxGroup } from "./fold-causes.ts";
import { type Decide, InboxCard } from "./inbox-card.tsx";
import { InboxMail } from "./inbox-mail.tsx";
import { useInboxKeys } from "./use-inbox-keys.ts";
import { useInboxMail } from "./use-inbox-mail.ts";

export function InboxPage(): ReactNode {
  const project = useProject();
  const answer = useLive("approval.list", { limit: 500, all: project === undefined }, { project });
  const groups = useMemo(() => foldCauses(answer.data?.items ?? []), [answer.data]);
  const mail = useInboxMail(project);
  const { decide, isBusy } = useDecide();
  const choices = [
    ...groups.map((group) => requestChoice(group, decide)),
    ...mail.messages.map(({ id, acknowledge }) => ({ key: id, approve: acknowledge })),
  ];
  // What is read first must not be chosen before what stands above it.
  const { key: chosen, choose } = useInboxKeys(answer.data !== undefined && mail.isRead ? choices : []);
  return (
    <div className="page inbox">
      <header className="page-head">
        <h2>Inbox</h2>
        <p className="quiet keys">
          <kbd>j</kbd> <kbd>k</kbd> move · <kbd>a</kbd> approve or acknowledge · <kbd>r</kbd> reject · <kbd>c</kbd>{" "}
          write
        </p>
        <CommandLine text={`sylk approvals${project === undefined ? " --all" : ""}`} />
      </header>
      <Answered answer={answer}>
        {() =>
          groups.length === 0 ? (
            <Empty command='sylk run "…"'>
              Nothing waits for you. Plans, commands and questions of runs appear here.
            </Empty>
          ) : (
            <ul className="inbox-groups" aria-label="Requests">
              {groups.map((group) => (
                <InboxCard
                  key={group.key}
                  group={group}
                  isChosen={group.key === chosen}
                  onChoose={() => choose(group.key)}
                  isBusy={isBusy}
                  decide={decide}
                />
              ))}
            </ul>
          )
        }
      </Answered>
      <InboxMail mail={mail} chosen={chosen} onChoose={choose} />
    </div>
  );
}

function requestChoice({ key, items }: InboxGroup, decide: Decide) {
  const isQuestion = items[0]!.kind === "question"; // approved by its answer alone
  return {
    key,
    approve: isQuestion ? undefined : () => void decide(items, "approve"),
    reject: () => void decide(items, "reject"),
  };
}

function useDecide(): { readonly decide: Decide; readonly isBusy: boolean } {
  const { client } = useDaemon();
  const { attempt, isBusy } = useAction();
  const decide = useCallback<Decide>(
    async (items, decision, terms = {}) => {
      const decideOne = ({ id }: InboxItem) => client.call("approval.decide", { id, decision, ...terms });
      await attempt(() => decideGroup(items, decideOne), sayDone(items[0]!, decision));
    },
    [attempt, client],
  );
  return { decide, isBusy };
}

function sayDone({ kind, about, question }: InboxItem, decision: string): string {
  const past = { approve: "Approved", reject: "Rejected", answer: "Answered" }[decision] ?? decision;
  return `${past}: ${kind === "plan" && about !== undefined ? about : question}`;
}
