/** One thread: its messages in order, the acknowledgements asked and given, and a reply. */
import { type ReactNode, type SubmitEvent, useState } from "react";
import type { Mail } from "../daemon/contract.ts";
import { useDaemon, useLive } from "../live/live-context.tsx";
import { CommandLine } from "../parts/command-line.tsx";
import { Drawer } from "../parts/drawer.tsx";
import { Answered } from "../parts/section.tsx";
import { StateMark } from "../parts/state-mark.tsx";
import { TimeAgo } from "../parts/time-ago.tsx";
import { useNow } from "../parts/use-now.ts";
import { useAction } from "../shell/use-action.ts";
import { audienceOf, buildThreads, foldText, type MailThread, replyTarget } from "./build-threads.ts";
import type { UnreadMail } from "./use-unread.ts";

type ThreadDrawerProps = { readonly id: string; readonly unread: UnreadMail; readonly onClose: () => void };

const mostBytes = 65_536;

export function ThreadDrawer({ id, unread, onClose }: ThreadDrawerProps): ReactNode {
  const named = useLive("mail.get", { id: id });
  const thread = named.data?.message.thread;
  const found = useLive(
    "mail.search",
    thread === undefined ? undefined : { thread, all: true, limit: 100, maxBytes: mostBytes },
  );
  return (
    <Drawer title={<span className="clamped">{named.data?.message.subject ?? "Message"}</span>} onClose={onClose}>
      <Answered answer={named}>
        {({ message }) => {
          // A thread that is too long for one answer still shows the message that the address names.
          const [built] = buildThreads([message, ...(found.data?.items ?? [])]);
          return <Thread thread={built!} chosen={id} unread={unread} isCut={found.data?.nextCursor !== undefined} />;
        }}
      </Answered>
    </Drawer>
  );
}

type ThreadProps = {
  readonly thread: MailThread;
  readonly chosen: string;
  readonly unread: UnreadMail;
  readonly isCut: boolean;
};

function Thread({ thread, chosen, unread, isCut }: ThreadProps): ReactNode {
  return (
    <>
      {isCut ? (
        <p className="quiet">Earlier messages of this thread are left out; the command below lists them.</p>
      ) : null}
      <ol className="thread" aria-label="Messages of the thread">
        {thread.messages.map((message) => (
          <Message key={message.id} message={message} isChosen={message.id === chosen} unread={unread} />
        ))}
      </ol>
      <Reply thread={thread} />
      <CommandLine text={isCut ? `sylk mail search --thread ${thread.id}` : `sylk mail show ${chosen}`} />
    </>
  );
}

type MessageProps = { readonly message: Mail; readonly isChosen: boolean; readonly unread: UnreadMail };

function Message({ message, isChosen, unread }: MessageProps): ReactNode {
  const { id, from, subject, importance, sentAt, ackDueAt, content } = message;
  const place = unread.places.get(id);
  return (
    <li className={isChosen ? "card chosen" : "card"} aria-current={isChosen} data-id={id}>
      <p className="card-head">
        <strong className="one-line">{from.name}</strong>
        <span className="quiet one-line">to {audienceOf(message)}</span>
        {importance === "normal" ? null : <span className="quiet">{importance}</span>}
        {content.kind === "text" ? null : <span className="quiet">{content.kind}</span>}
        {place === undefined ? null : <StateMark state="active" label="unread" />}
        <TimeAgo at={sentAt} />
      </p>
      <h3 className="clamped">{subject}</h3>
      <Body message={message} />
      {ackDueAt === undefined ? null : <Acknowledgements message={message} />}
      {place === undefined ? null : <MarkRead message={message} place={place} />}
    </li>
  );
}

/** Words of others are text: no link in them is live. Long ones are folded. */
function Body({ message: { id, body, truncated } }: { readonly message: Mail }): ReactNode {
  const { client } = useDaemon();
  const [rest, setRest] = useState<{ readonly text: string; readonly nextFrom?: number | undefined }>();
  const [isOpen, setOpen] = useState(false);
  const folded = foldText(body);
  const text = (isOpen ? (rest?.text ?? body) : (folded ?? body)) || "(no text)";
  const hasMore = truncated === true && (rest === undefined || rest.nextFrom !== undefined);
  const readMore = async (): Promise<void> => {
    const from = rest?.nextFrom ?? 0;
    const page = await client.call("mail.get", { id, from, maxBytes: mostBytes });
    setRest({ text: `${from === 0 ? "" : rest!.text}${page.message.body}`, nextFrom: page.nextFrom });
    setOpen(true);
  };
  return (
    <>
      <p className="mail-body" dir="auto">
        {text}
      </p>
      {folded === undefined && truncated !== true ? null : (
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={() => (hasMore ? void readMore() : setOpen((wasOpen) => !wasOpen))}
        >
          {hasMore && isOpen ? "Show more" : isOpen ? "Fold" : "Show all of it"}
        </button>
      )}
    </>
  );
}

function Acknowledgements({ message: { id, ackDueAt, to } }: { readonly message: Mail }): ReactNode {
  const now = useNow();
  const acks = useLive("mail.get", { id, maxBytes: 512 }).data?.acks ?? [];
  const person = to?.find(({ client }) => client === "human");
  const project = useLive("agent.get", person === undefined ? undefined : { id: person.id }).data?.agent.project;
  const { act, isBusy } = useAction();
  const isMissing = acks.some(({ agent, ackedAt }) => agent.id === person?.id && ackedAt === undefined);
  return (
    <>
      <ul className="acks" aria-label="Acknowledgements">
        {acks.map(({ agent, ackedAt }) => (
          <li key={agent.id}>
            {ackedAt !== undefined ? (
              <StateMark state="closed" label="acknowledged" />
            ) : ackDueAt! < now ? (
              <StateMark state="stuck" label="overdue" />
            ) : (
              <StateMark state="open" label="awaited" />
            )}
            <bdi className="one-line">{agent.name}</bdi>
            <TimeAgo at={ackedAt ?? ackDueAt!} />
          </li>
        ))}
      </ul>
      {isMissing && project !== undefined ? (
        <button
          type="button"
          className="primary"
          disabled={isBusy}
          onClick={() => void act("mail.ack", { id }, { project: project.path, done: "The message is acknowledged." })}
        >
          Acknowledge for {project.name}
        </button>
      ) : null}
    </>
  );
}

type Place = NonNullable<ReturnType<UnreadMail["places"]["get"]>>;

/** Mail is read in order: what is older in the same inbox is read with it, and the button says how much. */
function MarkRead({ message: { id, channel }, place }: { readonly message: Mail; readonly place: Place }): ReactNode {
  const { client } = useDaemon();
  const { act, isBusy } = useAction();
  const { position, project } = place;
  const mark = async (): Promise<void> => {
    const page = await client.call(
      "mail.inbox",
      { channel, limit: position + 1, maxBytes: mostBytes },
      { project: project.path },
    );
    if (page.items.at(-1)?.id !== id || page.cursor === undefined) return; // read meanwhile
    await act(
      "mail.inbox",
      { channel, upTo: page.cursor, limit: 1 },
      { project: project.path, done: `Read up to here in ${project.name}.` },
    );
  };
  return (
    <button type="button" disabled={isBusy} onClick={() => void mark()}>
      {position === 0 ? "Mark as read" : `Mark as read, with ${position} older`}
    </button>
  );
}

function Reply({ thread }: { readonly thread: MailThread }): ReactNode {
  const { replyTo, to } = replyTarget(thread);
  const mine =
    replyTo.from.client === "human"
      ? replyTo.from
      : (replyTo.to?.find(({ client }) => client === "human") ?? replyTo.from);
  const project = useLive("agent.get", { id: mine.id }).data?.agent.project;
  const { act, isBusy } = useAction();
  const [body, setBody] = useState("");
  const whom = to !== undefined || replyTo.to === undefined ? audienceOf(replyTo) : replyTo.from.name;
  const send = (submitted: SubmitEvent): void => {
    submitted.preventDefault();
    const subject = /^re: /i.test(replyTo.subject) ? replyTo.subject : `Re: ${replyTo.subject}`;
    const input = {
      replyTo: replyTo.id,
      subject: subject.slice(0, 300),
      body,
      ...(to === undefined ? {} : { to: [...to] }),
    };
    void act("mail.send", input, { project: project?.path, done: "The reply was sent." }).then((sent) => {
      if (sent !== undefined) setBody(""); // a reply that was refused stays to be sent again
    });
  };
  return (
    <form className="reply" onSubmit={send}>
      <textarea
        rows={3}
        value={body}
        onChange={({ target }) => setBody(target.value)}
        aria-label="Reply"
        placeholder="Reply"
      />
      <button type="submit" className="primary" disabled={isBusy || project === undefined || body.trim() === ""}>
        Reply
      </button>
      <span className="quiet one-line">
        to <bdi>{whom}</bdi>
        {project === undefined ? "" : `, as you in ${project.name}`}
      </span>
    </form>
  );
}
