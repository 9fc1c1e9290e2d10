/** One event: its sentence, the things it is about, and its data as it was recorded. */
import type { ReactNode } from "react";
import { useLive } from "../live/live-context.tsx";
import { CommandLine } from "../parts/command-line.tsx";
import { Drawer } from "../parts/drawer.tsx";
import { Facts } from "../parts/facts.tsx";
import { Answered } from "../parts/section.tsx";
import { useProjects } from "../shell/use-project.ts";
import { Link } from "../shell/use-route.tsx";
import { linksOf } from "./link-event.ts";
import { sayEvent } from "./say-event.ts";

export function EventDrawer({
  sequence,
  onClose,
}: {
  readonly sequence: string;
  readonly onClose: () => void;
}): ReactNode {
  const number = /^\d{1,15}$/.test(sequence) ? Number(sequence) : 0;
  const answer = useLive("event.list", number > 0 ? { after: number - 1, limit: 1 } : undefined);
  const projects = useProjects();
  return (
    <Drawer title={`Event ${sequence}`} onClose={onClose}>
      {number === 0 ? <p className="problem">“{sequence}” is not the number of an event.</p> : null}
      {number === 0 ? null : (
        <Answered answer={answer}>
          {({ items: [event] }) =>
            event?.sequence !== number ? (
              <p className="problem">There is no event {number}. It has not happened yet, or it was removed.</p>
            ) : (
              <>
                <p className="event-said">{sayEvent(event)}</p>
                <Facts
                  rows={[
                    ["Type", <code key="type">{event.type}</code>],
                    ["When", new Date(event.at).toLocaleString()],
                    [
                      "Project",
                      projects.find(({ id }) => id === event.project)?.name ?? (
                        <code key="project">{event.project}</code>
                      ),
                    ],
                    [
                      "Subject",
                      <Link key="subject" to={{ page: "events", terms: { subject: event.subject } }}>
                        {event.subject}
                      </Link>,
                    ],
                  ]}
                />
                <ul className="event-links" aria-label="About">
                  {linksOf(event).map(({ page, id, what }) => (
                    <li key={`${page} ${id}`}>
                      <Link to={{ page, id }}>
                        Open {what} <code>{id}</code>
                      </Link>
                    </li>
                  ))}
                </ul>
                <h3>Data</h3>
                <pre className="event-data" tabIndex={0} aria-label="Data of the event">
                  {JSON.stringify(event.data, null, 2)}
                </pre>
                <CommandLine text={`sylk events --after ${number - 1} --limit 1 --json`} />
              </>
            )
          }
        </Answered>
      )}
    </Drawer>
  );
}
