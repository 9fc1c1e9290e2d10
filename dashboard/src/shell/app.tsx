/** The frame of every page: where we are, whether it is live, where one can go. */
import { type ComponentType, lazy, memo, type ReactNode, Suspense, useCallback, useEffect, useState } from "react";
import { useConnection, useLive } from "../live/live-context.tsx";
import { CommandLine } from "../parts/command-line.tsx";
import { StateMark } from "../parts/state-mark.tsx";
import { ErrorBoundary } from "./error-boundary.tsx";
import { Navigation } from "./navigation.tsx";
import { Palette } from "./palette.tsx";
import { ProjectChoice } from "./project-choice.tsx";
import type { PageProps } from "./page-props.ts";
import type { PageName, Route } from "./route.ts";
import { useProject } from "./use-project.ts";
import { useShortcuts } from "./use-shortcuts.ts";
import { Link, useRoute } from "./use-route.tsx";

export function App(): ReactNode {
  const connection = useConnection();
  const [isPaletteOpen, setPaletteOpen] = useState(false);
  const openPalette = useCallback(() => setPaletteOpen(true), []);
  useShortcuts(openPalette);
  if (connection === "signed-out") return <SignedOut />;
  return (
    <>
      <a className="skip" href="#content">
        Skip to the content
      </a>
      <Frame openPalette={openPalette} />
      {isPaletteOpen ? <Palette onClose={() => setPaletteOpen(false)} /> : null}
    </>
  );
}

/** Not drawn again when the palette opens: a large page would delay it. */
const Frame = memo(function Frame({ openPalette }: { readonly openPalette: () => void }): ReactNode {
  const route = useRoute();
  const connection = useConnection();
  const project = useProject();
  const waiting = useLive("approval.list", { limit: 500 }, { project }).data?.items.length;
  const version = useLive("daemon.status", {}).data?.version;
  useEffect(() => {
    document.title = waiting === undefined || waiting === 0 ? "Sylk" : `(${waiting}) Sylk`;
  }, [waiting]);
  return (
    <>
      <header className="top">
        <Link to={{ page: "now" }} className="brand">
          <img src="/icon.svg" alt="" width="22" height="22" />
          <h1>Sylk</h1>
        </Link>
        <ProjectChoice />
        <button type="button" className="search" onClick={openPalette}>
          Search <kbd>Ctrl K</kbd>
        </button>
        <p className="connection" role="status" id="connection" title={version === undefined ? "" : `Sylk ${version}`}>
          <StateMark state={connection} />
        </p>
      </header>
      <Navigation waiting={waiting} />
      <main id="content" tabIndex={-1}>
        <PageContent route={route} />
      </main>
    </>
  );
});

/** Each page is loaded when it is first opened. */
const pageComponents: Readonly<Record<PageName, ComponentType<PageProps>>> = {
  now: lazy(() => import("../now/now-page.tsx").then(({ NowPage }) => ({ default: NowPage }))),
  agents: lazy(() => import("../now/now-page.tsx").then(({ NowPage }) => ({ default: NowPage }))),
  inbox: lazy(() => import("../inbox/inbox-page.tsx").then(({ InboxPage }) => ({ default: InboxPage }))),
  runs: lazy(() => import("../runs/runs-page.tsx").then(({ RunsPage }) => ({ default: RunsPage }))),
  work: lazy(() => import("../work/work-page.tsx").then(({ WorkPage }) => ({ default: WorkPage }))),
  files: lazy(() => import("../files/files-page.tsx").then(({ FilesPage }) => ({ default: FilesPage }))),
  findings: lazy(() => import("../findings/findings-page.tsx").then(({ FindingsPage }) => ({ default: FindingsPage }))),
  messages: lazy(() => import("../messages/messages-page.tsx").then(({ MessagesPage }) => ({ default: MessagesPage }))),
  knowledge: lazy(() =>
    import("../knowledge/knowledge-page.tsx").then(({ KnowledgePage }) => ({ default: KnowledgePage })),
  ),
  costs: lazy(() => import("../costs/costs-page.tsx").then(({ CostsPage }) => ({ default: CostsPage }))),
  health: lazy(() => import("../health/health-page.tsx").then(({ HealthPage }) => ({ default: HealthPage }))),
  events: lazy(() => import("../events/events-page.tsx").then(({ EventsPage }) => ({ default: EventsPage }))),
};

function PageContent({ route }: { readonly route: Route }): ReactNode {
  if (route.page === undefined) return <NoSuchPage />;
  const Page = pageComponents[route.page];
  return (
    <ErrorBoundary key={route.page}>
      <Suspense fallback={<p className="quiet">Loading…</p>}>
        <Page route={route} />
      </Suspense>
    </ErrorBoundary>
  );
}

function NoSuchPage(): ReactNode {
  return (
    <div className="empty">
      <p>There is no such page.</p>
      <p>
        <Link to={{ page: "now" }}>Go to Now</Link>
      </p>
    </div>
  );
}

function SignedOut(): ReactNode {
  return (
    <main className="signed-out">
      <h1>Signed out</h1>
      <p>This browser’s sign-in has ended. To sign in again, run this command and open the link that it prints.</p>
      <CommandLine text="sylk dashboard" />
    </main>
  );
}
