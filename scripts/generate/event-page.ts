/** The reference of durable events. */
import { eventDefinitions } from "../../src/contract/index.ts";
import { page, table } from "./page.ts";

export function eventPage(): string {
  const rows = eventDefinitions.map(({ type, version, summary, data }) => [
    `\`${type}\``,
    String(version),
    summary,
    Object.keys(data.shape)
      .map((name) => `\`${name}\``)
      .join(", "),
  ]);
  const intro =
    "Facts in the order they were committed. Read them with `GET /v1/events?after=N` or as server-sent events " +
    "(`Accept: text/event-stream`, resume with `Last-Event-ID`), or with `sylk events --follow`.";
  return page("Events", intro, [table(["type", "version", "what happened", "data"], rows)]);
}
