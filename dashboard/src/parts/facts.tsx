/** Names and values. A value that is not known is said to be unknown, never left out or shown as zero. */
import type { ReactNode } from "react";

export function Facts({ rows }: { readonly rows: readonly (readonly [string, ReactNode])[] }): ReactNode {
  return (
    <dl className="facts">
      {rows.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value ?? <span className="quiet">unknown</span>}</dd>
        </div>
      ))}
    </dl>
  );
}
