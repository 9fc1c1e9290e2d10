/**
 * One line for programs at a session's start: how each part of Sylk takes part in it.
 *
 *   [sylk] coordination=active | work=3 ready | librarian=indexed | budget=62% | 1 companion available
 *
 * What could not be found out is said to be unknown; it never keeps a session from beginning.
 */
import type { Authenticate, Caller, CodeIndexState, Credentials, Dispatch } from "../../contract/index.ts";

type Integration = {
  readonly coordination: "active" | "refusing" | "unknown";
  /** More than can be counted in one go ends with a plus. */
  readonly ready: string;
  /** How far the code index is with the session's tree. */
  readonly librarian: string;
  /** Percent of the most used budget; none where no run has one. */
  readonly budget: number | "none" | "unknown";
  /** Companions that work here. */
  readonly companions: number | "unknown";
};

const mostReady = 100;

function integrationText({ coordination, ready, librarian, budget, companions }: Integration): string {
  const parts = [
    `coordination=${coordination}`,
    `work=${ready}${ready === "unknown" ? "" : " ready"}`,
    `librarian=${librarian}`,
    `budget=${typeof budget === "number" ? `${budget}%` : budget}`,
    `${companions} ${companions === 1 ? "companion" : "companions"} available`,
  ];
  return `[sylk] ${parts.join(" | ")}`;
}

export type IntegrationPorts = {
  readonly authenticate: Authenticate;
  readonly dispatch: Dispatch;
  readonly indexStates: {
    /** `repository`: the folder that all its working trees share. */
    readonly stateOf: (tree: string, repository: string) => CodeIndexState;
  };
};

export async function integrationLine(
  credentials: Credentials,
  { authenticate, dispatch, indexStates }: IntegrationPorts,
): Promise<string> {
  try {
    const caller = await authenticate(credentials, "anyone");
    const [{ enforced }, ready, running, companions] = await Promise.all([
      dispatch("health.greeting", {}, caller),
      dispatch("work-item.ready", { limit: mostReady }, caller),
      dispatch("run.list", { status: "running", limit: 100 }, caller),
      dispatch("companion.list", {}, caller),
    ]);
    const shares = running.items.flatMap(({ budget, cost }) =>
      budget === undefined ? [] : [Math.round(((cost.inputTokens + cost.outputTokens) / budget) * 100)],
    );
    const own = treeOf(caller);
    const here = companions.items.filter(({ tree, state }) => state === "active" && (tree ?? own) === own);
    return integrationText({
      coordination: enforced ? "active" : "refusing",
      ready: `${ready.items.length}${ready.items.length < mostReady ? "" : "+"}`,
      librarian: librarianText(caller, indexStates),
      budget: shares.length === 0 ? "none" : Math.max(...shares),
      companions: here.length,
    });
  } catch {
    const unknown = "unknown";
    return integrationText({
      coordination: unknown,
      ready: unknown,
      librarian: unknown,
      budget: unknown,
      companions: unknown,
    });
  }
}

function treeOf(caller: Caller): string | undefined {
  return caller.kind === "agent" ? caller.tree : undefined;
}

function librarianText(caller: Caller, states: IntegrationPorts["indexStates"]): string {
  const tree = treeOf(caller);
  if (tree === undefined || caller.project === undefined) return "absent";
  try {
    const state = states.stateOf(tree, caller.project.path);
    return "percent" in state ? `${state.mode} ${state.percent}%` : state.mode;
  } catch {
    return "unknown"; // a file that cannot be read now
  }
}
