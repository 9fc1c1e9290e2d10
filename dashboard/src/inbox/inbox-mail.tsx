/** Unread messages to the person. Looking at them marks none as read. */
import { type ReactNode, useEffect, useRef } from "react";
import { Section } from "../parts/section.tsx";
import { TimeAgo } from "../parts/time-ago.tsx";
import { Link } from "../shell/use-route.tsx";
import type { InboxMailState, InboxMessage } from "./use-inbox-mail.ts";

type InboxMailProps = {
  readonly mail: InboxMailState;
  readonly chosen: string | undefined;
  readonly onChoose: (key: string) => void;
};

export function InboxMail({ mail: { boxes, isBusy }, chosen, onChoose }: InboxMailProps): ReactNode {
  return boxes.map(({ project, messages, more, markRead }) => (
    <Section
      key={project.id}
      title={`Messages of ${project.name}`}
      count={messages.length}
      actions={
        <button type="button" className="small" disabled={isBusy} onClick={markRead}>
          Mark as read
        </button>
      }
    >
      <p className="quiet">An acknowledgement, and what is marked as read, holds for you in {project.name}.</p>
      <ul className="rows" aria-label={`Messages of ${project.name}`}>
        {messages.map((message) => (
          <MailRow
            key={message.id}
            message={message}
            isBusy={isBusy}
            isChosen={message.id === chosen}
            onChoose={() => onChoose(message.id)}
          />
        ))}
      </ul>
      {more ? <p className="quiet">Further unread messages follow.</p> : null}
    </Section>
  ));
}

type MailRowProps = {
  readonly message: InboxMessage;
  readonly isBusy: boolean;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
};

function MailRow({ message, isBusy, isChosen, onChoose }: MailRowProps): ReactNode {
  const { id, subject, from, sentAt, ackDueAt, acknowledge } = message;
  const row = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isChosen) row.current?.scrollIntoView({ block: "nearest" });
  }, [isChosen]);
  return (
    <li ref={row} className={isChosen ? "chosen" : undefined} aria-current={isChosen} onFocus={onChoose}>
      <Link to={{ page: "messages", id }} className="row-title">
        {subject}
      </Link>
      <span className="quiet">
        from {from.name} <TimeAgo at={sentAt} />
      </span>
      {acknowledge === undefined || ackDueAt === undefined ? null : (
        <button type="button" className="small" disabled={isBusy} onClick={acknowledge}>
          Acknowledge (due <TimeAgo at={ackDueAt} />)
        </button>
      )}
    </li>
  );
}
