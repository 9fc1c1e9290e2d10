/** Work items as a table that sorts by a click. Only the rows in view are mounted. */
import { type ReactNode, useEffect, useRef } from "react";
import { WindowVirtualizer, type WindowVirtualizerHandle } from "virtua";
import { StateMark } from "../parts/state-mark.tsx";
import { TimeAgo } from "../parts/time-ago.tsx";
import type { Route } from "../shell/route.ts";
import { Link } from "../shell/use-route.tsx";
import { columnNames, columnOf, type ListedWork, type SortKey, sortKeys } from "./group-work.ts";
import { OwnerLink, PriorityMark } from "./work-marks.tsx";

const titles: Readonly<Record<SortKey, string>> = {
  priority: "Priority",
  title: "Title",
  state: "State",
  owner: "Owner",
  age: "Added",
  changed: "Changed",
};

/** More than the bars at the top and the bottom of a window take. */
const barPx = 70;

type WorkTableProps = {
  readonly items: readonly ListedWork[];
  readonly unclosed: ReadonlySet<string>;
  readonly chosen: string | undefined;
  readonly route: Route;
};

export function WorkTable({ items, unclosed, chosen, route }: WorkTableProps): ReactNode {
  const sort = route.terms["sort"] ?? "priority";
  const table = useRef<HTMLDivElement>(null);
  const rows = useRef<WindowVirtualizerHandle>(null);
  const place = items.findIndex(({ id }) => id === chosen);
  useEffect(() => {
    if (place < 0) return;
    const row = table.current?.querySelector('[aria-current="true"]')?.getBoundingClientRect();
    const isInView = row !== undefined && row.top >= barPx && row.bottom <= innerHeight - barPx;
    if (!isInView) rows.current?.scrollToIndex(place, { align: "center" });
  }, [place]);
  return (
    <div ref={table} className="work-table" role="table" aria-label="Work items" aria-rowcount={items.length + 1}>
      <div role="rowgroup">
        <div role="row" className="work-row head">
          {sortKeys.map((key) => (
            <span
              key={key}
              role="columnheader"
              aria-sort={sort === key ? "ascending" : sort === `-${key}` ? "descending" : "none"}
            >
              <Link to={{ ...route, terms: { ...route.terms, sort: sort === key ? `-${key}` : key } }}>
                {titles[key]}
                <span aria-hidden="true">{sort === key ? " ↑" : sort === `-${key}` ? " ↓" : ""}</span>
              </Link>
            </span>
          ))}
        </div>
      </div>
      <div role="rowgroup">
        <WindowVirtualizer ref={rows}>
          {items.map((item) => (
            <WorkRow key={item.id} item={item} unclosed={unclosed} isChosen={item.id === chosen} route={route} />
          ))}
        </WindowVirtualizer>
      </div>
    </div>
  );
}

type WorkRowProps = Pick<WorkTableProps, "unclosed" | "route"> & {
  readonly item: ListedWork;
  readonly isChosen: boolean;
};

function WorkRow({ item, unclosed, isChosen, route }: WorkRowProps): ReactNode {
  const { id, title, type, project, priority, owner, createdAt, updatedAt } = item;
  const column = columnOf(item, unclosed);
  return (
    <div role="row" className={isChosen ? "work-row chosen" : "work-row"} aria-current={isChosen ? "true" : undefined}>
      <span role="cell">
        <PriorityMark priority={priority} />
      </span>
      <span role="cell" className="title-cell">
        <Link to={{ ...route, id }} className="row-title">
          {title}
        </Link>{" "}
        <span className="quiet">{project === undefined ? type : `${type} · ${project}`}</span>
      </span>
      <span role="cell">
        <StateMark state={column === "ready" ? "open" : column} label={columnNames[column]} />
      </span>
      <span role="cell">{owner === undefined ? <span className="quiet">none</span> : <OwnerLink owner={owner} />}</span>
      <span role="cell">
        <TimeAgo at={createdAt} />
      </span>
      <span role="cell">
        <TimeAgo at={updatedAt} />
      </span>
    </div>
  );
}
