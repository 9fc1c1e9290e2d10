/**
 * Work: a board, a table or a graph of all work items in view, with filters in the address and one item in a drawer.
 *
 *   j, k  next, previous      Enter  open      c  claim
 */
import { type ReactNode, useMemo, useState } from "react";
import { Answered, Empty } from "../parts/section.tsx";
import type { PageProps } from "../shell/page-props.ts";
import type { Route } from "../shell/route.ts";
import { useAction } from "../shell/use-action.ts";
import { useProject, useProjects } from "../shell/use-project.ts";
import { goTo, Link } from "../shell/use-route.tsx";
import { AddWorkItem } from "./add-work-item.tsx";
import { columns, filterWork, groupWork, type ListedWork, orderWork } from "./group-work.ts";
import { useWork, type WorkInView } from "./use-work.ts";
import { useWorkKeys } from "./use-work-keys.ts";
import { WorkBoard } from "./work-board.tsx";
import { WorkDrawer } from "./work-drawer.tsx";
import { WorkGraph } from "./work-graph.tsx";
import { WorkFilters } from "./work-filters.tsx";
import { WorkTable } from "./work-table.tsx";
import "./work.css";

export function WorkPage({ route }: PageProps): ReactNode {
  const project = useProject();
  const answer = useWork(project);
  const { view = "board", ...otherTerms } = route.terms;
  return (
    <div className="page work">
      <header className="page-head">
        <h2>Work</h2>
        <nav aria-label="View" className="tabs view-choice">
          <Link to={{ ...route, terms: otherTerms }} aria-current={view === "board"}>
            Board
          </Link>
          <Link to={{ ...route, terms: { ...otherTerms, view: "table" } }} aria-current={view === "table"}>
            Table
          </Link>
          <Link to={{ ...route, terms: { ...otherTerms, view: "graph" } }} aria-current={view === "graph"}>
            Graph
          </Link>
        </nav>
        <p className="quiet keys">
          <kbd>j</kbd> <kbd>k</kbd> move · <kbd>Enter</kbd> open · <kbd>c</kbd> claim
        </p>
      </header>
      <AddWorkItem project={project} />
      <Answered answer={answer}>{(work) => <WorkView work={work} route={route} view={view} />}</Answered>
      {route.id === undefined ? null : (
        <WorkDrawer
          key={route.id}
          id={route.id}
          items={answer.data?.items ?? []}
          onClose={() => goTo({ ...route, id: undefined })}
        />
      )}
    </div>
  );
}

type WorkViewProps = { readonly work: WorkInView; readonly route: Route; readonly view: string };

function WorkView({ work, route, view }: WorkViewProps): ReactNode {
  const isTable = view === "table";
  const { items, unclosed, isCut } = work;
  const found = useMemo(() => filterWork(items, route.terms), [items, route.terms]);
  const groups = useMemo(() => groupWork(found, unclosed), [found, unclosed]);
  const rows = useMemo(
    () => orderWork(found, route.terms["sort"] ?? "priority", unclosed),
    [found, route.terms, unclosed],
  );
  const shown = useMemo(() => (isTable ? rows : columns.flatMap((column) => groups[column])), [isTable, rows, groups]);
  const [chosen, setChosen] = useState<string>();
  const claim = useClaim();
  useWorkKeys({
    items: shown,
    chosen,
    setChosen,
    open: (id) => goTo({ ...route, id }),
    claim,
    isOff: route.id !== undefined,
  });
  if (items.length === 0)
    return (
      <Empty command='sylk work add "…"'>
        There are no work items. Agents claim what you add here or in a terminal.
      </Empty>
    );
  return (
    <>
      <WorkFilters items={items} found={found.length} route={route} />
      {isCut ? (
        <p className="quiet">Only the newest 500 items of each state are shown. Choose one project to see fewer.</p>
      ) : null}
      {view === "graph" ? (
        <WorkGraph items={found} unclosed={unclosed} route={route} />
      ) : isTable ? (
        <WorkTable items={rows} unclosed={unclosed} chosen={chosen} route={route} />
      ) : (
        <WorkBoard groups={groups} chosen={chosen} route={route} onChoose={setChosen} />
      )}
    </>
  );
}

/** Claims as the person of the item's project. */
function useClaim(): (item: ListedWork) => void {
  const { act } = useAction();
  const inView = useProject();
  const projects = useProjects();
  return (item) => {
    const project = inView ?? projects.find(({ name }) => name === item.project);
    void act("work-item.claim", { id: item.id }, { project: project?.path, done: `You claimed “${item.title}”` });
  };
}
