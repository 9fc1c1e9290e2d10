/** One cause that waits: who asks what, for whom a decision holds, what happens without one. */
import { type ReactNode, type SubmitEvent, useEffect, useRef, useState } from "react";
import type { InboxItem } from "../daemon/contract.ts";
import { CommandLine } from "../parts/command-line.tsx";
import { TimeAgo } from "../parts/time-ago.tsx";
import { capital, count } from "../parts/wording.ts";
import { Link } from "../shell/use-route.tsx";
import type { InboxGroup } from "./fold-causes.ts";

export type Decide = (
  items: readonly InboxItem[],
  decision: "approve" | "reject" | "answer",
  terms?: { readonly answer?: string; readonly reason?: string },
) => Promise<void>;

type InboxCardProps = {
  readonly group: InboxGroup;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
  readonly isBusy: boolean;
  readonly decide: Decide;
};

export function InboxCard({ group, isChosen, onChoose, isBusy, decide }: InboxCardProps): ReactNode {
  const { items } = group;
  const item = items[0]!;
  const others = items.filter(({ question }) => question !== item.question);
  const card = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isChosen) card.current?.scrollIntoView({ block: "nearest" });
  }, [isChosen]);
  return (
    <li
      ref={card}
      data-choice={group.key}
      className={isChosen ? "card chosen" : "card"}
      onFocus={onChoose}
      aria-current={isChosen}
    >
      <p className="card-head">
        <span className="kind">{capital(item.kind)}</span>
        <span className="quiet">
          {item.by} · {item.project} · <TimeAgo at={item.createdAt} />
        </span>
      </p>
      <h3>{item.question}</h3>
      {item.about === undefined ? null : (
        <p>
          {item.run === undefined ? item.about : <Link to={{ page: "runs", id: item.run }}>{item.about}</Link>}
          {item.title === undefined ? null : <span className="quiet"> · {item.title}</span>}
        </p>
      )}
      {items.length === 1 ? null : <p className="quiet">{count(items.length, "request")} with this cause.</p>}
      {others.length === 0 ? null : (
        <ul className="details" aria-label="Decided with it">
          {others.map(({ id, question }) => (
            <li key={id}>
              {question} <CommandLine text={`sylk approve ${id}`} />
            </li>
          ))}
        </ul>
      )}
      {item.details.length === 0 ? null : (
        <ul className="details">
          {item.details.map((line, place) => (
            <li key={place}>{line}</li>
          ))}
        </ul>
      )}
      <p className="quiet">
        A decision holds for{others.length === 0 ? "" : " each of them"}: {item.holdsFor}. Without one: {item.byDefault}
        {item.deadlineAt === undefined ? null : (
          <>
            {" "}
            (<TimeAgo at={item.deadlineAt} />)
          </>
        )}
      </p>
      <Decision item={item} items={items} isBusy={isBusy} decide={decide} />
      <CommandLine text={item.kind === "question" ? `sylk answer ${item.id} "…"` : `sylk approve ${item.id}`} />
    </li>
  );
}

type DecisionProps = Pick<InboxCardProps, "isBusy" | "decide"> & {
  readonly item: InboxItem;
  readonly items: readonly InboxItem[];
};

function Decision({ item, items, isBusy, decide }: DecisionProps): ReactNode {
  const [text, setText] = useState("");
  if (item.kind === "question") {
    const send = (submitted: SubmitEvent): void => {
      submitted.preventDefault();
      void decide(items, "answer", { answer: text });
    };
    return (
      <form className="decision" onSubmit={send}>
        <input value={text} onChange={({ target }) => setText(target.value)} aria-label={`Answer: ${item.question}`} />
        <button type="submit" className="primary" disabled={isBusy || text.trim() === ""}>
          Answer
        </button>
        <button type="button" disabled={isBusy} onClick={() => void decide(items, "reject")}>
          Leave unanswered
        </button>
      </form>
    );
  }
  const reason = text.trim() === "" ? {} : { reason: text };
  return (
    <div className="decision">
      <button type="button" className="primary" disabled={isBusy} onClick={() => void decide(items, "approve", reason)}>
        Approve
      </button>
      <button type="button" className="danger" disabled={isBusy} onClick={() => void decide(items, "reject", reason)}>
        Reject
      </button>
      <input
        value={text}
        onChange={({ target }) => setText(target.value)}
        placeholder="Reason (optional)"
        aria-label={`Reason: ${item.question}`}
      />
    </div>
  );
}
