/** The daemon that served this page, as the live store and the actions use it. */
import { fetchTransport } from "../../../src/surfaces/transport/fetch-transport.ts";
import { createPageClient, type PageClient } from "../../../src/surfaces/client/page-client.ts";
import { createLiveStore, type LiveStore } from "../live/live-store.ts";
import { DomainError } from "./contract.ts";
import { learnDaemonTime } from "./daemon-time.ts";
import { readStream } from "./read-stream.ts";

export type { PageClient } from "../../../src/surfaces/client/page-client.ts";

type PageSession = { readonly csrf: string; readonly cursor: number; readonly expiresAt: number };

export function connectToDaemon(): { readonly live: LiveStore; readonly client: PageClient } {
  let session: PageSession | undefined;
  const client = createPageClient({
    transport: fetchTransport(location.origin),
    csrf: () => session?.csrf ?? "",
    newKey: () => crypto.randomUUID(),
  });
  const live = createLiveStore({
    read: ({ name, input, project }) => client.call(name, input, { project }),
    async signIn() {
      session = await readSession();
      return session;
    },
    openStream(after, { onOpen, onEvents, onLost }) {
      const ended = new AbortController();
      const fetchStream = async (path: string, signal: AbortSignal): Promise<Response> => {
        const response = await fetch(path, { headers: { accept: "text/event-stream" }, cache: "no-store", signal });
        learnDaemonTime(response.headers.get("date"));
        return response;
      };
      readStream({ fetchStream, after, signal: ended.signal, onOpen, onEvents }).then(
        () => onLost(undefined),
        (why: unknown) => {
          if (!ended.signal.aborted) onLost(why);
        },
      );
      return { close: () => ended.abort() };
    },
    nextFrame,
    later: (ms, work) => void setTimeout(work, ms),
    elapsed: () => performance.now(),
  });
  return { live, client };
}

/** A tab in the background draws no frames, and its answers still change: its title shows what waits. */
function nextFrame(work: () => void): void {
  if (document.hidden) setTimeout(work, 200);
  else requestAnimationFrame(work);
}

async function readSession(): Promise<PageSession> {
  const response = await fetch("/session", { headers: { accept: "application/json" }, cache: "no-store" });
  if (response.status === 401) throw new DomainError("token.missing", "This browser is not signed in");
  if (!response.ok) throw new DomainError("daemon.unreachable", `The daemon answered HTTP ${response.status}`);
  return (await response.json()) as PageSession;
}
