/** The person's unread mail. Looking at it reads nothing: only an action moves the daemon's cursor. */
import { useMemo } from "react";
import type { Mail, OutputOf } from "../daemon/contract.ts";
import { useLive } from "../live/live-context.tsx";
import type { ProjectInView } from "../shell/use-project.ts";

type Inbox = OutputOf<"mail.everywhere">["items"][number];
export type UnreadMail = {
  readonly messages: readonly Mail[];
  /** By message: its place in the inbox of its project and channel. */
  readonly places: ReadonlyMap<string, { readonly position: number; readonly project: Inbox["project"] }>;
  readonly hasMore: boolean;
};

const terms = { limit: 200, maxBytes: 65_536 };

export function useUnread(project: ProjectInView | undefined): UnreadMail {
  const requests = useLive("mail.everywhere", { channel: "requests", ...terms }).data?.items;
  const notices = useLive("mail.everywhere", { channel: "notices", ...terms }).data?.items;
  const id = project?.id;
  return useMemo(() => {
    const inboxes = [...(requests ?? []), ...(notices ?? [])].filter(
      (inbox) => id === undefined || inbox.project.id === id,
    );
    return {
      messages: inboxes.flatMap(({ items }) => items),
      places: new Map(
        inboxes.flatMap((inbox) =>
          inbox.items.map((message, position) => [message.id, { position, project: inbox.project }] as const),
        ),
      ),
      hasMore: inboxes.some(({ more }) => more),
    };
  }, [requests, notices, id]);
}
