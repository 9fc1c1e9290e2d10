/** Work items as cards in columns. A column shows its first cards; more on request. */
import { type ReactNode, useEffect, useId, useRef, useState } from "react";
import { StateMark } from "../parts/state-mark.tsx";
import { TimeAgo } from "../parts/time-ago.tsx";
import { count } from "../parts/wording.ts";
import type { Route } from "../shell/route.ts";
import { Link } from "../shell/use-route.tsx";
import { type Column, columnNames, columns, type ListedWork } from "./group-work.ts";
import { Labels, OwnerLink, PriorityMark, ProgressMark } from "./work-marks.tsx";

const states: Readonly<Record<Column, string>> = {
  ready: "open",
  blocked: "blocked",
  in_progress: "in_progress",
  stuck: "stuck",
  closed: "closed",
};
const step = 40;

type WorkBoardProps = {
  readonly groups: Readonly<Record<Column, readonly ListedWork[]>>;
  readonly chosen: string | undefined;
  readonly route: Route;
  readonly onChoose: (id: string) => void;
};

export function WorkBoard({ groups, ...rest }: WorkBoardProps): ReactNode {
  return (
    <div className="work-board">
      {columns.map((column) => (
        <BoardColumn key={column} column={column} items={groups[column]} {...rest} />
      ))}
    </div>
  );
}

type BoardColumnProps = Omit<WorkBoardProps, "groups"> & {
  readonly column: Column;
  readonly items: readonly ListedWork[];
};

function BoardColumn({ column, items, chosen, route, onChoose }: BoardColumnProps): ReactNode {
  const id = useId();
  const [shown, setShown] = useState(step);
  const place = items.findIndex((item) => item.id === chosen);
  const visible = Math.max(shown, place + 1);
  return (
    <section className="work-column" aria-labelledby={id}>
      <h3 id={id}>
        <StateMark state={states[column]} label={columnNames[column]} />
        <span className="count"> {items.length.toLocaleString("en")}</span>
      </h3>
      <ul>
        {items.slice(0, visible).map((item) => (
          <WorkCard key={item.id} item={item} isChosen={item.id === chosen} route={route} onChoose={onChoose} />
        ))}
      </ul>
      {items.length === 0 ? <p className="quiet none">None</p> : null}
      {items.length > visible ? (
        <button type="button" onClick={() => setShown(visible + step)}>
          Show {Math.min(step, items.length - visible)} more of {items.length.toLocaleString("en")}
        </button>
      ) : null}
    </section>
  );
}

type WorkCardProps = Pick<WorkBoardProps, "route" | "onChoose"> & {
  readonly item: ListedWork;
  readonly isChosen: boolean;
};

function WorkCard({ item, isChosen, route, onChoose }: WorkCardProps): ReactNode {
  const card = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isChosen) card.current?.scrollIntoView({ block: "nearest" });
  }, [isChosen]);
  const { id, title, type, priority, owner, labels, dependsOn, createdAt, project, stuck, blockedReason, status } =
    item;
  return (
    <li ref={card} className={isChosen ? "card chosen" : "card"} aria-current={isChosen} onFocus={() => onChoose(id)}>
      <Link to={{ ...route, id }} className="row-title">
        {title}
      </Link>
      <p className="card-facts">
        <PriorityMark priority={priority} />
        <span className="quiet">{type}</span>
        {project === undefined ? null : <span className="quiet">{project}</span>}
        <OwnerLink owner={owner} />
      </p>
      <ProgressMark progress={status === "closed" ? undefined : item.progress} />
      {stuck === undefined ? null : <p>Stuck: {stuck.reason}</p>}
      {blockedReason === undefined ? null : <p>Blocked: {blockedReason}</p>}
      <Labels labels={labels} />
      <p className="card-facts quiet">
        {dependsOn.length === 0 ? null : <span>needs {count(dependsOn.length, "item")}</span>}
        <span>
          added <TimeAgo at={createdAt} />
        </span>
      </p>
    </li>
  );
}
