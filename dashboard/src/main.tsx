/** Starts the dashboard: connects to the daemon that served it, then draws. */
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { connectToDaemon } from "./daemon/page-daemon.ts";
import { DaemonProvider } from "./live/live-context.tsx";
import { App } from "./shell/app.tsx";
import { ErrorBoundary } from "./shell/error-boundary.tsx";
import { NoticeProvider } from "./shell/notices.tsx";
import { applyTheme, readTheme } from "./shell/theme.ts";
import "./styles/tokens.css";
import "./styles/shell.css";
import "./styles/parts.css";
import "./styles/lists.css";
import "./styles/ask.css";
import "./styles/signed-out.css";

applyTheme(readTheme());
const daemon = connectToDaemon();
void daemon.live.connect();
document.addEventListener("visibilitychange", () => {
  // Signs of life and renewals are not events: what is shown after a pause is read again.
  if (document.hidden) return;
  if (daemon.live.connection() === "signed-out") void daemon.live.connect();
  else daemon.live.refreshAll();
});

createRoot(document.getElementById("root")!).render(
  <StrictMode>
    <ErrorBoundary>
      <DaemonProvider value={daemon}>
        <NoticeProvider>
          <App />
        </NoticeProvider>
      </DaemonProvider>
    </ErrorBoundary>
  </StrictMode>,
);
