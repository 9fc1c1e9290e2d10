/** Events: the log with the newest at the bottom, one event, and the replay of a run. */
import { type SubmitEvent, type ReactNode, useMemo } from "react";
import { CommandLine } from "../parts/command-line.tsx";
import { quoteWord } from "../parts/quote-word.ts";
import type { PageProps } from "../shell/page-props.ts";
import { useProject } from "../shell/use-project.ts";
import { goTo } from "../shell/use-route.tsx";
import { EventDrawer } from "./event-drawer.tsx";
import { EventList } from "./event-list.tsx";
import "./events.css";
import { rowsOf } from "./filter-events.ts";
import { ReplayView } from "./replay-view.tsx";
import { useEventLog } from "./use-event-log.ts";

export function EventsPage({ route }: PageProps): ReactNode {
  const { run, ...filters } = route.terms;
  const close = (): void => goTo({ ...route, id: undefined });
  return (
    <div className="page events">
      {run === undefined ? <EventLogView route={route} /> : <ReplayView key={run} id={run} route={route} />}
      {route.id === undefined ? null : (
        <EventDrawer
          sequence={route.id}
          onClose={run === undefined ? close : () => goTo({ ...route, id: undefined, terms: { ...filters, run } })}
        />
      )}
    </div>
  );
}

function EventLogView({ route }: PageProps): ReactNode {
  const { type = "**", text = "", subject = "" } = route.terms;
  const project = useProject();
  const log = useEventLog({ type, project });
  const rows = useMemo(() => rowsOf(log.view.log, { text, subject }), [log.view.log, text, subject]);
  return (
    <>
      <header className="page-head">
        <h2>Events</h2>
        <CommandLine text={`sylk events --follow${type === "**" ? "" : ` --type ${quoteWord(type)}`}`} />
      </header>
      <Filters key={`${type} ${subject}`} route={route} />
      <EventList log={log} rows={rows} isFiltered={text !== "" || subject !== "" || type !== "**"} />
    </>
  );
}

function Filters({ route }: PageProps): ReactNode {
  const { type = "", text = "", subject = "" } = route.terms;
  const apply = (form: SubmitEvent<HTMLFormElement>): void => {
    form.preventDefault();
    const given = new FormData(form.currentTarget);
    const terms = Object.fromEntries(
      ["type", "text", "subject"].map((key) => [key, textOf(given.get(key))]).filter(([, value]) => value !== ""),
    ) as Record<string, string>;
    goTo({ ...route, id: undefined, terms });
  };
  const typed = (value: string): void => {
    const { text: _, ...rest } = route.terms;
    goTo({ ...route, terms: value === "" ? rest : { ...rest, text: value } }, { replace: true });
  };
  return (
    <form className="event-filters" role="search" aria-label="Filter events" onSubmit={apply}>
      <label>
        Type
        <input name="type" defaultValue={type} placeholder="reservation.*" spellCheck={false} />
      </label>
      <label>
        Text
        <input
          name="text"
          type="search"
          value={text}
          placeholder="any words"
          onChange={({ target }) => typed(target.value)}
        />
      </label>
      <label>
        About (id)
        <input name="subject" defaultValue={subject} placeholder="agt_… run_… wrk_…" spellCheck={false} />
      </label>
      <button type="submit">Filter</button>
    </form>
  );
}

/** A field of a form that holds text. */
function textOf(value: FormDataEntryValue | null): string {
  return typeof value === "string" ? value.trim() : "";
}
