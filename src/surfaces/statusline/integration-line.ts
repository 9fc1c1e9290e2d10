/**
 * One line for programs at a session's start: how each part of Sylk takes part in it.
 *
 *   [sylk] coordination=active | work=3 ready | librarian=absent | budget=62%
 *
 * What could not be found out is said to be unknown; it never keeps a session from beginning.
 */
import type { Authenticate, Credentials, Dispatch } from "../../contract/index.ts";

type Integration = {
  readonly coordination: "active" | "refusing" | "unknown";
  /** More than can be counted in one go ends with a plus. */
  readonly ready: string;
  /** Percent of the most used budget; none where no run has one. */
  readonly budget: number | "none" | "unknown";
};

const mostReady = 100;

function integrationText({ coordination, ready, budget }: Integration): string {
  const parts = [
    `coordination=${coordination}`,
    `work=${ready}${ready === "unknown" ? "" : " ready"}`,
    "librarian=absent",
    `budget=${typeof budget === "number" ? `${budget}%` : budget}`,
  ];
  return `[sylk] ${parts.join(" | ")}`;
}

type Ports = { readonly authenticate: Authenticate; readonly dispatch: Dispatch };

export async function integrationLine(credentials: Credentials, { authenticate, dispatch }: Ports): Promise<string> {
  try {
    const caller = await authenticate(credentials, "anyone");
    const [{ enforced }, ready, running] = await Promise.all([
      dispatch("health.greeting", {}, caller),
      dispatch("work-item.ready", { limit: mostReady }, caller),
      dispatch("run.list", { status: "running", limit: 100 }, caller),
    ]);
    const shares = running.items.flatMap(({ budget, cost }) =>
      budget === undefined ? [] : [Math.round(((cost.inputTokens + cost.outputTokens) / budget) * 100)],
    );
    return integrationText({
      coordination: enforced ? "active" : "refusing",
      ready: `${ready.items.length}${ready.items.length < mostReady ? "" : "+"}`,
      budget: shares.length === 0 ? "none" : Math.max(...shares),
    });
  } catch {
    return integrationText({ coordination: "unknown", ready: "unknown", budget: "unknown" });
  }
}
