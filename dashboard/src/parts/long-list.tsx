/** A list whose rows are mounted only where they are in view, once there are many. */
import type { ReactNode } from "react";
import { WindowVirtualizer } from "virtua";

const mostMounted = 50;

type LongListProps = { readonly label: string; readonly className: string; readonly children: readonly ReactNode[] };

/** Each child is a row with `role="listitem"`. */
export function LongList({ label, className, children }: LongListProps): ReactNode {
  return (
    <div className={className} role="list" aria-label={label}>
      {children.length > mostMounted ? <WindowVirtualizer>{children}</WindowVirtualizer> : children}
    </div>
  );
}
