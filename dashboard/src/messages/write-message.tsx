/** Writing to agents, to a topic or to everyone of a project, as the person of that project. */
import { type ReactNode, type SubmitEvent, useState } from "react";
import type { RawInputOf } from "../daemon/contract.ts";
import { useLive } from "../live/live-context.tsx";
import { useAction } from "../shell/use-action.ts";
import { useProject, useProjects } from "../shell/use-project.ts";

type Audience = "agents" | "topic" | "everyone";

export function WriteMessage({ onSent }: { readonly onSent: (id: string) => void }): ReactNode {
  const projects = useProjects();
  const inView = useProject();
  const [chosen, setChosen] = useState<string>();
  const project = projects.find(({ id }) => id === chosen) ?? inView ?? projects[0];
  const [audience, setAudience] = useState<Audience>("agents");
  const [receivers, setReceivers] = useState("");
  const [subject, setSubject] = useState("");
  const [body, setBody] = useState("");
  const [importance, setImportance] = useState("normal");
  const [asksAck, setAsksAck] = useState(false);
  const { act, isBusy } = useAction();
  const agents =
    useLive("agent.list", project === undefined ? undefined : { limit: 500 }, { project }).data?.items ?? [];
  const send = async (submitted: SubmitEvent): Promise<void> => {
    submitted.preventDefault();
    const to = receivers.split(/[\s,]+/).filter(Boolean);
    const whom =
      audience === "everyone" ? { everyone: true } : audience === "topic" ? { topic: receivers.trim() } : { to };
    const input = { ...whom, subject, body, importance, ackRequired: asksAck && audience === "agents" };
    const sent = await act("mail.send", input as RawInputOf<"mail.send">, {
      project: project?.path,
      done: "The message was sent.",
    });
    if (sent !== undefined) onSent(sent.message.id);
  };
  const needsReceivers = audience !== "everyone";
  return (
    <form className="write" onSubmit={(submitted) => void send(submitted)}>
      <label>
        Project
        <select value={project?.id ?? ""} onChange={({ target }) => setChosen(target.value)}>
          {projects.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <label>
        To
        <select value={audience} onChange={({ target }) => setAudience(target.value as Audience)}>
          <option value="agents">agents</option>
          <option value="topic">a topic</option>
          <option value="everyone">everyone of the project</option>
        </select>
      </label>
      {needsReceivers ? (
        <label className="whole">
          {audience === "topic" ? "Topic" : "Names of agents"}
          <input
            value={receivers}
            onChange={({ target }) => setReceivers(target.value)}
            list={audience === "agents" ? "receivers" : undefined}
            spellCheck={false}
          />
          <datalist id="receivers">
            {agents.map(({ id, name }) => (
              <option key={id} value={name}>
                {name}
              </option>
            ))}
          </datalist>
        </label>
      ) : null}
      <label className="whole">
        Subject
        <input value={subject} onChange={({ target }) => setSubject(target.value)} />
      </label>
      <label className="whole">
        Text
        <textarea rows={6} value={body} onChange={({ target }) => setBody(target.value)} />
      </label>
      <label>
        Importance
        <select value={importance} onChange={({ target }) => setImportance(target.value)}>
          {["low", "normal", "high", "urgent"].map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </label>
      {audience === "agents" ? (
        <label className="check">
          <input type="checkbox" checked={asksAck} onChange={({ target }) => setAsksAck(target.checked)} />
          Ask for an acknowledgement
        </label>
      ) : null}
      <button
        type="submit"
        className="primary"
        disabled={
          isBusy || project === undefined || subject.trim() === "" || (needsReceivers && receivers.trim() === "")
        }
      >
        Send
      </button>
      <p className="quiet whole">
        {project === undefined ? "No project is known yet." : `It is sent as you in ${project.name}.`}
      </p>
    </form>
  );
}
