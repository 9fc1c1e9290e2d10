/** Unread messages to the person, those that want an acknowledgement first. */
import type { ReactNode } from "react";
import type { OutputOf } from "../daemon/contract.ts";
import { useLive } from "../live/live-context.tsx";
import { Section } from "../parts/section.tsx";
import { TimeAgo } from "../parts/time-ago.tsx";
import { useAction } from "../shell/use-action.ts";
import type { ProjectInView } from "../shell/use-project.ts";
import { Link } from "../shell/use-route.tsx";

type ProjectMail = OutputOf<"mail.everywhere">["items"][number];

export function InboxMail({ project }: { readonly project: ProjectInView | undefined }): ReactNode {
  const answer = useLive("mail.everywhere", { limit: 50 });
  const { act, isBusy } = useAction();
  const boxes = (answer.data?.items ?? []).filter(
    (box) => box.items.length > 0 && (project === undefined || box.project.id === project.id),
  );
  const markRead = ({ project: { path, name }, cursor }: ProjectMail): void =>
    void act("mail.inbox", { upTo: cursor }, { project: path, done: `Messages of ${name} are marked as read` });
  return boxes.map((box) => (
    <Section
      key={box.project.id}
      title={`Messages of ${box.project.name}`}
      count={box.items.length}
      actions={
        <button type="button" className="small" disabled={isBusy} onClick={() => markRead(box)}>
          Mark as read
        </button>
      }
    >
      <ul className="rows">
        {box.items
          .toSorted((a, b) => (a.ackDueAt ?? Infinity) - (b.ackDueAt ?? Infinity))
          .map(({ id, subject, from, sentAt, ackDueAt }) => (
            <li key={id}>
              <Link to={{ page: "messages", id }} className="row-title">
                {subject}
              </Link>
              <span className="quiet">
                from {from.name} <TimeAgo at={sentAt} />
              </span>
              {ackDueAt === undefined ? null : (
                <button
                  type="button"
                  className="small"
                  disabled={isBusy}
                  onClick={() =>
                    void act("mail.ack", { id }, { project: box.project.path, done: `Acknowledged: ${subject}` })
                  }
                >
                  Acknowledge (due <TimeAgo at={ackDueAt} />)
                </button>
              )}
            </li>
          ))}
      </ul>
      {box.more ? <p className="quiet">Further unread messages follow.</p> : null}
    </Section>
  ));
}
