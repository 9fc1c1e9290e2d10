/** One work item: what it is, who has it, what it waits for, what happened to it, and what a person can do with it. */
import type { ReactNode } from "react";
import type { OutputOf } from "../daemon/contract.ts";
import { useLive } from "../live/live-context.tsx";
import { CommandLine } from "../parts/command-line.tsx";
import { Drawer } from "../parts/drawer.tsx";
import { Facts } from "../parts/facts.tsx";
import { Answered } from "../parts/section.tsx";
import { StateMark } from "../parts/state-mark.tsx";
import { TimeAgo } from "../parts/time-ago.tsx";
import { capital, count, words } from "../parts/wording.ts";
import { useProject } from "../shell/use-project.ts";
import { DependencyTree } from "./dependency-tree.tsx";
import { columnNames, columnOf, type ListedWork, unclosedIds } from "./group-work.ts";
import { useProjectOf } from "./use-work.ts";
import { WorkActions } from "./work-actions.tsx";
import { Labels, OwnerLink, PriorityMark, ProgressMark } from "./work-marks.tsx";

type WorkDrawerProps = { readonly id: string; readonly items: readonly ListedWork[]; readonly onClose: () => void };

export function WorkDrawer({ id, items, onClose }: WorkDrawerProps): ReactNode {
  const found = useLive("work-item.get", { id });
  const inView = useProject();
  const listed = items.find((item) => item.id === found.data?.workItem.id);
  const project = useProjectOf(listed, inView);
  return (
    <Drawer title={found.data?.workItem.title ?? "Work item"} onClose={onClose}>
      <Answered answer={found}>
        {({ workItem, lease, handoff }) => (
          <>
            <WorkFacts item={workItem} items={items} lease={lease} projectName={project?.name} />
            <ProgressMark progress={workItem.progress} />
            {workItem.body === undefined ? null : <p className="work-body">{workItem.body}</p>}
            {project === undefined ? null : <WorkActions item={workItem} project={project} />}
            <DependencyTree id={workItem.id} items={items} />
            {handoff === undefined ? null : <LastHandoff handoff={handoff} />}
            <WorkHistory id={workItem.id} />
            <CommandLine text={`sylk work show ${workItem.id}`} />
            <CommandLine
              text={workItem.owner === undefined ? `sylk claim ${workItem.id}` : `sylk handoff ${workItem.id}`}
            />
          </>
        )}
      </Answered>
    </Drawer>
  );
}

type Found = OutputOf<"work-item.get">;
type WorkFactsProps = {
  readonly item: Found["workItem"];
  readonly items: readonly ListedWork[];
  readonly lease: Found["lease"];
  readonly projectName: string | undefined;
};

function WorkFacts({ item, items, lease, projectName }: WorkFactsProps): ReactNode {
  const { stuck, handoffRequest, owner, attempts } = item;
  const column = columnOf(item, unclosedIds(items));
  const none = <span className="quiet">none</span>;
  const rows: (readonly [string, ReactNode] | false | undefined)[] = [
    ["State", <StateMark key="state" state={column === "ready" ? "open" : column} label={columnNames[column]} />],
    ["Priority", <PriorityMark key="priority" priority={item.priority} />],
    ["Type", item.type],
    ["Project", projectName],
    ["Owner", owner === undefined ? none : <OwnerLink key="owner" owner={owner} />],
    lease && [
      "Claim ends",
      <span key="lease">
        <TimeAgo at={lease.expiresAt} /> unless its owner calls again
      </span>,
    ],
    item.labels.length > 0 && ["Labels", <Labels key="labels" labels={item.labels} />],
    stuck && [
      "Stuck",
      <span key="stuck">
        {stuck.reason}{" "}
        <span className="quiet">
          ({stuck.by.name}, <TimeAgo at={stuck.at} />)
        </span>
      </span>,
    ],
    item.blockedReason !== undefined && ["Blocked", item.blockedReason],
    handoffRequest && [
      "Asked for by",
      <span key="asked">
        <OwnerLink owner={handoffRequest.to} /> <TimeAgo at={handoffRequest.at} />
      </span>,
    ],
    item.closedReason !== undefined && ["Closed", item.closedReason],
    ["Added", <TimeAgo key="added" at={item.createdAt} />],
    ["Changed", <TimeAgo key="changed" at={item.updatedAt} />],
    attempts > 1 && ["Claimed", count(attempts, "time")],
  ];
  return <Facts rows={rows.filter((row) => row !== undefined && row !== false)} />;
}

function LastHandoff({ handoff }: { readonly handoff: NonNullable<Found["handoff"]> }): ReactNode {
  const { from, how, endedAt, files, progress } = handoff;
  return (
    <section>
      <h3>Left by the last owner</h3>
      <p>
        <OwnerLink owner={from} /> ({words(how)}) <TimeAgo at={endedAt} />
      </p>
      {progress.slice(0, 5).map(({ at, note }) => (
        <p key={at} className="quiet">
          {note}
        </p>
      ))}
      {files.slice(0, 20).map((file) => (
        <p key={file}>
          <code>{file}</code>
        </p>
      ))}
    </section>
  );
}

const read = 500;

function WorkHistory({ id }: { readonly id: string }): ReactNode {
  const inView = useProject();
  const events = useLive("event.list", { type: "work-item.*", newest: true, limit: read }, { project: inView });
  const own = (events.data?.items ?? []).filter(({ subject }) => subject === id).toReversed();
  return (
    <section>
      <h3>What happened</h3>
      {own.length === 0 ? <p className="quiet">The newest events say nothing about it.</p> : null}
      <ul className="work-history">
        {own.slice(0, 50).map(({ sequence, type, at, data }) => (
          <li key={sequence}>
            <span>{capital(words(type.replace("work-item.", "")))}</span>
            <span className="quiet">{actorOf(data)}</span>
            <TimeAgo at={at} />
          </li>
        ))}
      </ul>
    </section>
  );
}

type Named = { readonly name?: string } | undefined;

function actorOf(data: Readonly<Record<string, unknown>>): string {
  const from = (data["formerOwner"] as Named)?.name;
  const to = ((data["owner"] ?? data["to"]) as Named)?.name;
  return [from, to].filter((name) => name !== undefined).join(" → ");
}
