/** Small marks of a work item: its priority as a shape and a word, its owner, its labels, its progress. */
import type { ReactNode } from "react";
import { Link } from "../shell/use-route.tsx";
import { type ListedWork, priorityWord } from "./group-work.ts";

const shapes = ["▲▲", "▲", "■", "▽", "▽▽"];

export function PriorityMark({ priority }: { readonly priority: number }): ReactNode {
  return (
    <span className={priority === 0 ? "priority urgent" : "priority"}>
      <span aria-hidden="true">{shapes[priority] ?? "■"}</span> {priorityWord(priority)}
    </span>
  );
}

export function OwnerLink({ owner }: { readonly owner: ListedWork["owner"] }): ReactNode {
  if (owner === undefined) return null;
  return (
    <Link to={{ page: "agents", id: owner.id }} className="owner" title={owner.name}>
      {owner.name}
    </Link>
  );
}

export function Labels({ labels }: { readonly labels: readonly string[] }): ReactNode {
  if (labels.length === 0) return null;
  return (
    <ul className="labels" aria-label="Labels">
      {labels.map((label) => (
        <li key={label}>{label}</li>
      ))}
    </ul>
  );
}

export function ProgressMark({ progress }: { readonly progress: ListedWork["progress"] }): ReactNode {
  if (progress === undefined) return null;
  const { percent, note } = progress;
  return (
    <p className="work-progress">
      {percent === undefined ? null : (
        <>
          <progress max={100} value={percent} aria-label="Progress" /> {percent} %{" "}
        </>
      )}
      <span className="quiet">{note}</span>
    </p>
  );
}
