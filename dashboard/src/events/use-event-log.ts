/** The event log for components: `useEventLog({ type, project })`. */
import { useEffect, useMemo, useSyncExternalStore } from "react";
import { useDaemon } from "../live/live-context.tsx";
import type { ProjectInView } from "../shell/use-project.ts";
import { createEventTail, type TailView } from "./event-tail.ts";
import { matchesType } from "./filter-events.ts";

type EventLogTerms = { readonly type: string; readonly project: ProjectInView | undefined };
export type EventLogHandle = Pick<ReturnType<typeof createEventTail>, "follow" | "unfollow" | "loadOlder"> & {
  readonly view: TailView;
};

export function useEventLog({ type, project }: EventLogTerms): EventLogHandle {
  const { live, client } = useDaemon();
  const [id, path] = [project?.id, project?.path];
  const tail = useMemo(
    () =>
      createEventTail({
        read: (input) => client.call("event.list", { ...input, type }, { project: path }),
        watchEvents: live.watchEvents,
        nextFrame: (work) => (document.hidden ? setTimeout(work, 200) : requestAnimationFrame(work)),
        matches: (event) => matchesType(type, event.type) && (id === undefined || event.project === id),
      }),
    [client, live, type, id, path],
  );
  useEffect(() => tail.start(), [tail]);
  const view = useSyncExternalStore(tail.watch, tail.view);
  return { view, follow: tail.follow, unfollow: tail.unfollow, loadOlder: tail.loadOlder };
}
