/** Files: the paths that agents hold, wait for and change, as a folding tree with the hot spots first. */
import { type ReactNode, useMemo, useState } from "react";
import { WindowVirtualizer } from "virtua";
import { useLive } from "../live/live-context.tsx";
import { CommandLine } from "../parts/command-line.tsx";
import { Answered, Empty, Section } from "../parts/section.tsx";
import { count, duration } from "../parts/wording.ts";
import type { PageProps } from "../shell/page-props.ts";
import type { Route } from "../shell/route.ts";
import { type ProjectInView, useProject, useProjects } from "../shell/use-project.ts";
import { goTo, Link } from "../shell/use-route.tsx";
import {
  buildTree,
  type Figures,
  filterMarks,
  heatLevel,
  heatOf,
  hotSpots,
  type TreeRow,
  visibleRows,
} from "./build-tree.ts";
import { collectMarks } from "./collect-marks.ts";
import { FileDrawer } from "./file-drawer.tsx";
import "./files.css";

export function FilesPage({ route }: PageProps): ReactNode {
  const inView = useProject();
  const projects = useProjects();
  const shown = inView === undefined ? projects : [inView];
  const { text: _, ...otherTerms } = route.terms;
  const filter = (text: string): void =>
    goTo({ ...route, terms: text === "" ? otherTerms : { ...otherTerms, text } }, { replace: true });
  return (
    <div className="page files">
      <header className="page-head">
        <h2>Files</h2>
        <input
          type="search"
          value={route.terms["text"] ?? ""}
          onChange={({ target }) => filter(target.value)}
          placeholder="Filter by path"
          aria-label="Filter by path"
        />
        <CommandLine text="sylk reservations stats --hours 168" />
      </header>
      {shown.length === 0 ? <Empty command='sylk reserve "src/**"'>No project is known yet.</Empty> : null}
      {shown.map((project) => (
        <ProjectFiles key={project.id} project={project} route={route} />
      ))}
      {route.id === undefined ? null : (
        <FileDrawer path={route.id} projects={shown} onClose={() => goTo({ ...route, id: undefined })} />
      )}
    </div>
  );
}

function ProjectFiles({ project, route }: { readonly project: ProjectInView; readonly route: Route }): ReactNode {
  const holds = useLive("reservation.list", { limit: 500 }, { project });
  const agents = useLive("agent.list", { limit: 500 }, { project }).data;
  const stats = useLive("reservation.stats", { hours: 168, limit: 500 }, { project }).data;
  const events = useLive("event.list", { type: "reservation.*", newest: true, limit: 500 }, { project }).data;
  const versions = useLive("file.history", { limit: 500 }, { project }).data;
  const [folded, setFolded] = useState<ReadonlyMap<string, boolean>>(new Map());
  const text = route.terms["text"] ?? "";
  const tree = useMemo(
    () =>
      buildTree(
        filterMarks(
          collectMarks({
            agents: agents?.items,
            holds: holds.data?.items,
            stats: stats?.paths,
            events: events?.items,
            versions: versions?.items,
          }),
          text,
        ),
      ),
    [agents, holds.data, stats, events, versions, text],
  );
  const hottest = Math.max(0, ...tree.children.map(({ total }) => heatOf(total)));
  const hot = hotSpots(tree, 8);
  const linkTo = (path: string) => ({ ...route, id: path, project: project.id });
  return (
    <Answered answer={holds}>
      {({ nextCursor }) => (
        <Section title={project.name} count={tree.paths}>
          {nextCursor === undefined ? null : <p className="quiet">Only the first 500 reservations are counted.</p>}
          {tree.paths > 0 ? null : text === "" ? (
            <Empty command='sylk reserve "src/**"'>Agents hold, wait for and change no file here.</Empty>
          ) : (
            <p className="quiet">No known path has “{text}” in it.</p>
          )}
          {hot.length === 0 ? null : (
            <>
              <h3>Hot spots</h3>
              <ul className="hot-spots" aria-label={`Hot spots of ${project.name}`}>
                {hot.map(({ path, own }) => (
                  <li key={path}>
                    <Heat level={heatLevel(heatOf(own), heatOf(hot[0]!.own))} />
                    <Link to={linkTo(path)}>
                      <code>{path}</code>
                    </Link>
                    <Sums figures={own} />
                  </li>
                ))}
              </ul>
            </>
          )}
          <div className="file-tree" role="list" aria-label={`Files of ${project.name}`}>
            <WindowVirtualizer>
              {visibleRows(tree, folded, text !== "").map((row) => (
                <FileRow
                  key={row.node.path}
                  row={row}
                  level={heatLevel(heatOf(row.node.total), hottest)}
                  to={linkTo(row.node.path)}
                  onFold={() => setFolded(new Map(folded).set(row.node.path, !row.isOpen))}
                />
              ))}
            </WindowVirtualizer>
          </div>
        </Section>
      )}
    </Answered>
  );
}

type FileRowProps = {
  readonly row: TreeRow;
  readonly level: number;
  readonly to: Partial<Route>;
  readonly onFold: () => void;
};

function FileRow({ row: { node, name, depth, isOpen }, level, to, onFold }: FileRowProps): ReactNode {
  const isFolder = node.children.length > 0;
  return (
    <div role="listitem" className="file-row" style={{ paddingInlineStart: `${Math.min(depth, 8)}rem` }}>
      {isFolder ? (
        <button
          type="button"
          className="small"
          aria-expanded={isOpen}
          aria-label={`Folder ${node.path}`}
          onClick={onFold}
        >
          {isOpen ? "▾" : "▸"}
        </button>
      ) : null}
      <Heat level={level} />
      <Link to={to} className="file-name">
        <code>{isFolder ? `${name}/` : name}</code>
      </Link>
      {isFolder && !isOpen ? <span className="quiet">{count(node.paths, "path")}</span> : null}
      <Sums figures={node.total} />
    </div>
  );
}

function Heat({ level }: { readonly level: number }): ReactNode {
  return <meter className="heat" min={0} max={4} value={level} aria-label={`Heat ${level} of 4`} />;
}

function Sums({ figures }: { readonly figures: Figures }): ReactNode {
  const { holds, waiters, handOvers, backAndForth, forecasts, versions, waitedMs } = figures;
  const said = [
    holds > 0 && count(holds, "hold"),
    waiters > 0 && `${waiters} waiting`,
    handOvers > 0 && count(handOvers, "hand-over"),
    backAndForth > 0 && `${backAndForth} back and forth`,
    waitedMs > 0 && `waited ${duration(waitedMs)}`,
    forecasts > 0 && count(forecasts, "merge conflict forecast"),
    versions > 0 && count(versions, "version"),
  ].filter((one) => one !== false);
  return <span className="quiet sums">{said.join(" · ")}</span>;
}
