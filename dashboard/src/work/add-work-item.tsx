/** Adds a work item with a title and a priority; everything else can be said later. */
import { type ReactNode, type SubmitEvent, useState } from "react";
import { useAction } from "../shell/use-action.ts";
import { type ProjectInView, useProjects } from "../shell/use-project.ts";
import { priorityWord } from "./group-work.ts";

export function AddWorkItem({ project }: { readonly project: ProjectInView | undefined }): ReactNode {
  const projects = useProjects();
  const { act, isBusy } = useAction();
  const [title, setTitle] = useState("");
  const [priority, setPriority] = useState(2);
  const [chosen, setChosen] = useState<string>();
  const target = project ?? projects.find(({ id }) => id === chosen) ?? projects[0];
  if (target === undefined) return null;
  const add = async (submitted: SubmitEvent): Promise<void> => {
    submitted.preventDefault();
    const done = `Added “${title.trim()}” to ${target.name}`;
    if ((await act("work-item.create", { title, priority }, { project: target.path, done })) !== undefined)
      setTitle("");
  };
  return (
    <form className="add-work" onSubmit={(submitted) => void add(submitted)} aria-label="Add a work item">
      <input
        value={title}
        onChange={({ target: { value } }) => setTitle(value)}
        placeholder="New work item: one line that describes the finished state"
        aria-label="Title of the new work item"
        maxLength={300}
      />
      <select
        value={priority}
        onChange={({ target: { value } }) => setPriority(Number(value))}
        aria-label="Priority of the new work item"
      >
        {[0, 1, 2, 3, 4].map((one) => (
          <option key={one} value={one}>
            {priorityWord(one)}
          </option>
        ))}
      </select>
      {project !== undefined || projects.length < 2 ? null : (
        <select
          value={target.id}
          onChange={({ target: { value } }) => setChosen(value)}
          aria-label="Project of the new work item"
        >
          {projects.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      )}
      <button type="submit" className="primary" disabled={isBusy || title.trim() === ""}>
        Add
      </button>
    </form>
  );
}
