/** A component that fails leaves words instead of a white page. */
import { Component, type ReactNode } from "react";

type State = { readonly error?: Error };

export class ErrorBoundary extends Component<{ readonly children: ReactNode }, State> {
  override state: State = {};

  static getDerivedStateFromError(error: unknown): State {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    return (
      <main className="signed-out" role="alert">
        <h1>The page failed</h1>
        <p>This is a defect of the dashboard; the daemon and your agents are not affected.</p>
        <pre>{error.message}</pre>
        <button type="button" onClick={() => location.reload()}>
          Reload the page
        </button>
      </main>
    );
  }
}
