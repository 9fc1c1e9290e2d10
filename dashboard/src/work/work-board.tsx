/** Work items as cards in columns. Each column scrolls on its own and mounts only the cards in view. */
import { type ReactNode, useEffect, useId, useRef } from "react";
import { Virtualizer, type VirtualizerHandle } from "virtua";
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
  const section = useRef<HTMLElement>(null);
  const cards = useRef<VirtualizerHandle>(null);
  const place = items.findIndex((item) => item.id === chosen);
  useEffect(() => {
    if (place < 0) return;
    const card = section.current?.querySelector('[aria-current="true"]');
    if (card?.contains(document.activeElement)) return; // chosen by a click: what moved away under it would not be clicked
    // The list scrolls itself: a second hand on its scroll bar can leave it with cards that it never shows.
    section.current?.scrollIntoView({ block: "nearest" });
    cards.current?.scrollToIndex(place, { align: "nearest" });
  }, [place]);
  return (
    <section ref={section} className="work-column" aria-labelledby={id}>
      <h3 id={id}>
        <StateMark state={states[column]} label={columnNames[column]} />
        <span className="count"> {items.length.toLocaleString("en")}</span>
      </h3>
      {items.length === 0 ? (
        <p className="quiet none">None</p>
      ) : (
        <div role="list" aria-labelledby={id} className="work-cards">
          <Virtualizer ref={cards}>
            {items.map((item) => (
              <WorkCard key={item.id} item={item} isChosen={item.id === chosen} route={route} onChoose={onChoose} />
            ))}
          </Virtualizer>
        </div>
      )}
    </section>
  );
}

type WorkCardProps = Pick<WorkBoardProps, "route" | "onChoose"> & {
  readonly item: ListedWork;
  readonly isChosen: boolean;
};

function WorkCard({ item, isChosen, route, onChoose }: WorkCardProps): ReactNode {
  const { id, title, type, priority, owner, labels, dependsOn, createdAt, project, stuck, blockedReason, status } =
    item;
  return (
    <div
      role="listitem"
      className={isChosen ? "card chosen" : "card"}
      aria-current={isChosen}
      onFocus={() => onChoose(id)}
    >
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
    </div>
  );
}
