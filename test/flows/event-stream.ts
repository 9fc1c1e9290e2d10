/** A reader of the event stream that remembers what came and how it ended. */
import { request } from "node:http";
import type { LogEvent } from "../../src/contract/index.ts";
import { until, within } from "./until.ts";
import type { Place } from "./wire.ts";

export type StreamTerms = {
  readonly token: string;
  readonly project?: string;
  readonly after?: number;
  readonly lastEventId?: number | string;
  readonly type?: string;
  /** Opens the stream and reads nothing from it until `resume`. */
  readonly paused?: boolean;
};
export type EventStream = {
  readonly status: number;
  /** Everything received so far; `id` is the frame's own. */
  readonly frames: readonly { readonly id: number; readonly event: string; readonly data: LogEvent }[];
  /** "ended" by the daemon with the last chunk, or "cut" in the middle. */
  readonly end: Promise<"ended" | "cut">;
  /** The answer's text where it is no stream. */
  readonly refusal: Promise<string>;
  receive(count: number): Promise<void>;
  pause(): void;
  resume(): void;
  close(): void;
};

export function openEventStream(place: Place, terms: StreamTerms): Promise<EventStream> {
  const { after, type, lastEventId } = terms;
  const query = new URLSearchParams({
    ...(after === undefined ? {} : { after: String(after) }),
    ...(type === undefined ? {} : { type }),
  });
  const headers = {
    accept: "text/event-stream",
    authorization: `Bearer ${terms.token}`,
    ...(terms.project === undefined ? {} : { "sylk-project": encodeURIComponent(terms.project) }),
    ...(lastEventId === undefined ? {} : { "last-event-id": String(lastEventId) }),
  };
  return within(
    "the stream opens",
    new Promise((resolve, reject) => {
      const outgoing = request(
        { ...place, path: `/v1/events?${query.toString()}`, headers, agent: false },
        (response) => {
          const frames: { id: number; event: string; data: LogEvent }[] = [];
          let text = "";
          response.setEncoding("utf8").on("data", (chunk: string) => {
            const parts = (text + chunk).split("\n\n");
            text = parts.pop()!;
            frames.push(...parts.filter((part) => !part.startsWith(":")).map(parseFrame));
          });
          if (terms.paused === true) response.pause();
          const end = new Promise<"ended" | "cut">((settle) => {
            response.on("end", () => settle("ended"));
            response.on("error", () => settle("cut"));
          });
          resolve({
            status: response.statusCode!,
            frames,
            end,
            refusal: end.then(() => text),
            receive: async (count) => void (await until(`${count} events have come`, () => frames.length >= count)),
            pause: () => response.pause(),
            resume: () => response.resume(),
            close: () => void outgoing.destroy(),
          });
        },
      );
      outgoing.on("error", reject);
      outgoing.end();
    }),
  );
}

function parseFrame(frame: string) {
  const field = (name: string): string =>
    frame
      .split("\n")
      .find((line) => line.startsWith(`${name}: `))!
      .slice(name.length + 2);
  return { id: Number(field("id")), event: field("event"), data: JSON.parse(field("data")) as LogEvent };
}
