/** A time as people say it, and exactly for those who ask. */
import type { ReactNode } from "react";
import { useNow } from "./use-now.ts";
import { relativeTime } from "./wording.ts";

export function TimeAgo({ at }: { readonly at: number }): ReactNode {
  const now = useNow();
  const exact = new Date(at);
  return (
    <time className="time" dateTime={exact.toISOString()} title={exact.toLocaleString()}>
      {relativeTime(at, now)}
    </time>
  );
}
