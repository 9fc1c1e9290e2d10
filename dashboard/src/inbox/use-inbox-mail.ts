/** Unread messages to the person, by project; those that want an acknowledgement first. */
import type { OutputOf } from "../daemon/contract.ts";
import { useLive } from "../live/live-context.tsx";
import { useAction } from "../shell/use-action.ts";
import type { ProjectInView } from "../shell/use-project.ts";

type Box = OutputOf<"mail.everywhere">["items"][number];
export type InboxMessage = Box["items"][number] & {
  /** Absent where the sender awaits none. */
  readonly acknowledge: (() => void) | undefined;
};
export type InboxBox = Pick<Box, "project" | "more"> & {
  readonly messages: readonly InboxMessage[];
  readonly markRead: () => void;
};
export type InboxMailState = {
  readonly boxes: readonly InboxBox[];
  readonly messages: readonly InboxMessage[];
  readonly isBusy: boolean;
  readonly isRead: boolean;
};

export function useInboxMail(inView: ProjectInView | undefined): InboxMailState {
  const answer = useLive("mail.everywhere", { limit: 50 });
  const { act, isBusy } = useAction();
  const boxes = (answer.data?.items ?? [])
    .filter(({ items, project }) => items.length > 0 && (inView === undefined || project.id === inView.id))
    .map(({ items, project: { path, ...project }, more, cursor }) => ({
      project: { path, ...project },
      more,
      markRead: () =>
        void act(
          "mail.inbox",
          { upTo: cursor },
          { project: path, done: `Messages of ${project.name} are marked as read` },
        ),
      messages: items
        .toSorted((a, b) => (a.ackDueAt ?? Infinity) - (b.ackDueAt ?? Infinity))
        .map((message) => ({
          ...message,
          acknowledge:
            message.ackDueAt === undefined
              ? undefined
              : () =>
                  void act("mail.ack", { id: message.id }, { project: path, done: `Acknowledged: ${message.subject}` }),
        })),
    }));
  return {
    boxes,
    messages: boxes.flatMap(({ messages }) => messages),
    isBusy,
    isRead: answer.data !== undefined || answer.problem !== undefined,
  };
}
