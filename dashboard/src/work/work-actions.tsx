/** What a person can do with a work item now. The daemon decides; a refusal is shown with its words and the holder. */
import { type ReactNode, type SubmitEvent, useState } from "react";
import type { WorkItem } from "../daemon/contract.ts";
import { useLive } from "../live/live-context.tsx";
import { useAction } from "../shell/use-action.ts";
import type { ProjectInView } from "../shell/use-project.ts";
import { priorityWord } from "./group-work.ts";

type WorkActionsProps = { readonly item: WorkItem; readonly project: ProjectInView };
type Open = "close" | "stuck" | "block" | "handoff" | "change" | undefined;

export function WorkActions({ item, project }: WorkActionsProps): ReactNode {
  const { act, isBusy } = useAction();
  const [open, setOpen] = useState<Open>();
  const { id, title, owner, status, handoffRequest } = item;
  const isMine = owner?.client === "human";
  const terms = (done: string) => ({ project: project.path, done: `${done}: ${title}` });
  const button = (text: string, work: () => unknown, look = ""): ReactNode => (
    <button type="button" className={look} disabled={isBusy} onClick={() => void work()}>
      {text}
    </button>
  );
  const opener = (which: Exclude<Open, undefined>, text: string): ReactNode => (
    <button type="button" aria-expanded={open === which} onClick={() => setOpen(open === which ? undefined : which)}>
      {text}
    </button>
  );
  if (status === "closed") return null;
  return (
    <section className="work-actions" aria-label="Actions">
      {isMine && handoffRequest !== undefined ? (
        <p className="callout">
          {handoffRequest.to.name} asks you for this item.{" "}
          {button(
            "Hand it over",
            () => act("work-item.handoff", { id, answer: "accept" }, terms(`Handed over to ${handoffRequest.to.name}`)),
            "primary",
          )}{" "}
          {button("Keep it", () => act("work-item.handoff", { id, answer: "decline" }, terms("You keep it")))}
        </p>
      ) : null}
      <div className="decision">
        {isMine
          ? null
          : button(
              "Claim",
              () => act("work-item.claim", { id }, terms("You claimed it")),
              owner === undefined ? "primary" : "",
            )}
        {isMine
          ? button("Release", () => act("work-item.release", { id }, terms("Released, back in the queue")))
          : null}
        {isMine ? button("Unclaim", () => act("work-item.unclaim", { id }, terms("You gave it up"))) : null}
        {owner !== undefined && !isMine
          ? button(`Ask ${owner.name} for it`, () => act("work-item.handoff", { id }, terms(`Asked ${owner.name}`)))
          : null}
        {isMine ? opener("handoff", "Hand over…") : null}
        {opener("close", "Close…")}
        {opener("stuck", "Stuck…")}
        {status === "blocked"
          ? button("Unblock", () => act("work-item.update", { id, status: "open" }, terms("Unblocked")))
          : opener("block", "Block…")}
        {opener("change", "Change…")}
      </div>
      <p className="quiet">
        You act as the person of {project.name}, for this item alone
        {owner === undefined || isMine ? "" : `; ${owner.name} has it now`}.
      </p>
      {open === "close" ? (
        <ReasonForm
          label="Why it is closed"
          start="done"
          verb="Close it"
          isBusy={isBusy}
          send={(reason) => act("work-item.close", { id, reason }, terms("Closed"))}
          onDone={() => setOpen(undefined)}
        />
      ) : null}
      {open === "stuck" ? (
        <ReasonForm
          label="What it is stuck on"
          verb="Mark it as stuck"
          isBusy={isBusy}
          send={(reason) => act("work-item.stuck", { id, reason }, terms("Marked as stuck"))}
          onDone={() => setOpen(undefined)}
        />
      ) : null}
      {open === "block" ? (
        <ReasonForm
          label="What blocks it"
          verb="Block it"
          isBusy={isBusy}
          send={(reason) => act("work-item.update", { id, status: "blocked", reason }, terms("Blocked"))}
          onDone={() => setOpen(undefined)}
        />
      ) : null}
      {open === "handoff" ? (
        <HandOver
          project={project}
          isBusy={isBusy}
          send={(to) => act("work-item.handoff", { id, to }, terms(`Handed over to ${to}`))}
          onDone={() => setOpen(undefined)}
        />
      ) : null}
      {open === "change" ? (
        <ChangeForm
          item={item}
          isBusy={isBusy}
          send={(changes) => act("work-item.update", { id, ...changes }, terms("Changed"))}
          onDone={() => setOpen(undefined)}
        />
      ) : null}
    </section>
  );
}

type FormTerms<Value> = {
  readonly isBusy: boolean;
  /** Answers undefined when the daemon refused: the form stays as it is. */
  readonly send: (value: Value) => Promise<unknown>;
  readonly onDone: () => void;
};

async function submit(submitted: SubmitEvent, send: () => Promise<unknown>, onDone: () => void): Promise<void> {
  submitted.preventDefault();
  if ((await send()) !== undefined) onDone();
}

type ReasonFormProps = FormTerms<string> & { readonly label: string; readonly verb: string; readonly start?: string };

function ReasonForm({ label, verb, start = "", isBusy, send, onDone }: ReasonFormProps): ReactNode {
  const [reason, setReason] = useState(start);
  return (
    <form className="decision" onSubmit={(submitted) => void submit(submitted, () => send(reason), onDone)}>
      <input
        value={reason}
        onChange={({ target }) => setReason(target.value)}
        aria-label={label}
        placeholder={label}
        maxLength={2000}
      />
      <button type="submit" className="primary" disabled={isBusy || reason.trim() === ""}>
        {verb}
      </button>
    </form>
  );
}

function HandOver({
  project,
  isBusy,
  send,
  onDone,
}: FormTerms<string> & { readonly project: ProjectInView }): ReactNode {
  const agents = useLive("agent.list", { limit: 500 }, { project }).data?.items ?? [];
  const live = agents.filter(({ status, client }) => status !== "ended" && status !== "offline" && client !== "human");
  const [chosen, setChosen] = useState<string>();
  const to = chosen ?? live[0]?.name;
  if (to === undefined) return <p className="quiet">No other agent is live in {project.name}.</p>;
  return (
    <form className="decision" onSubmit={(submitted) => void submit(submitted, () => send(to), onDone)}>
      <select value={to} onChange={({ target }) => setChosen(target.value)} aria-label="Agent that receives it">
        {live.map(({ id, name }) => (
          <option key={id} value={name}>
            {name}
          </option>
        ))}
      </select>
      <button type="submit" className="primary" disabled={isBusy}>
        Hand it over
      </button>
    </form>
  );
}

type Changes = { readonly title?: string; readonly body?: string; readonly priority?: number };

function ChangeForm({ item, isBusy, send, onDone }: FormTerms<Changes> & { readonly item: WorkItem }): ReactNode {
  const [title, setTitle] = useState(item.title);
  const [body, setBody] = useState(item.body ?? "");
  const [priority, setPriority] = useState(item.priority);
  // Only what the person changed is sent: another agent's change of the other fields stays.
  const changes = {
    ...(title === item.title ? {} : { title }),
    ...(body === (item.body ?? "") ? {} : { body }),
    ...(priority === item.priority ? {} : { priority }),
  };
  return (
    <form className="change-form" onSubmit={(submitted) => void submit(submitted, () => send(changes), onDone)}>
      <input value={title} onChange={({ target }) => setTitle(target.value)} aria-label="Title" maxLength={300} />
      <textarea
        value={body}
        onChange={({ target }) => setBody(target.value)}
        aria-label="Details"
        rows={5}
        maxLength={100_000}
      />
      <select value={priority} onChange={({ target }) => setPriority(Number(target.value))} aria-label="Priority">
        {[0, 1, 2, 3, 4].map((one) => (
          <option key={one} value={one}>
            {priorityWord(one)}
          </option>
        ))}
      </select>
      <button
        type="submit"
        className="primary"
        disabled={isBusy || Object.keys(changes).length === 0 || title.trim() === ""}
      >
        Save
      </button>
    </form>
  );
}
