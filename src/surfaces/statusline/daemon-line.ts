/** The daemon's side: draws a session's line, at most every two seconds; in between the last one is shown again. */
import type { Authenticate, Caller, ClientName, CodeIndexState, Dispatch } from "../../contract/index.ts";
import type { Clock } from "../../platform/clock/index.ts";
import { type ClientInput, readClientInput } from "./client-input.ts";
import { coordinationOf } from "./coordination.ts";
import type { IntegrationPorts } from "./integration-line.ts";
import { readOwnWork } from "./read-transcript.ts";
import type { RecentChanges } from "./recent-changes.ts";
import { renderLine } from "./render-line.ts";
import { createTreeMemory, type TreeOf } from "./tree-memory.ts";
import { type Form, mayRedraw, nextForm, type StatuslineMode } from "./update-policy.ts";

export type StatuslinePorts = {
  readonly dispatch: Dispatch;
  readonly authenticate: Authenticate;
  readonly clock: Clock;
  readonly changes: RecentChanges;
  readonly statuslineMode: StatuslineMode;
  /** The client that asks for the line. */
  readonly statuslineClient: ClientName;
  readonly unguardedIn: (tree: string) => number;
  /** How far the code index is with a tree. */
  readonly indexStates: IntegrationPorts["indexStates"] & {
    /** What is known without looking at the disk. */
    readonly lastOf: (tree: string) => CodeIndexState | undefined;
  };
  /** The client's word on how full a session's context is: a feed of usage that costs nothing. */
  readonly noteContext: (
    session: string,
    context: { readonly used: number; readonly size: number | undefined },
  ) => void;
};
type From = { readonly token: string | undefined; readonly cwd: string | undefined };
type DrawLine = (text: string, from: From) => Promise<string>;

type Drawn = { readonly at: number; readonly form: Form; readonly line: Promise<string> };

const mostSessions = 1_000;

export function createDrawLine(ports: StatuslinePorts): DrawLine {
  const treeOf = createTreeMemory(ports.clock);
  const drawn = new Map<string, Drawn>();
  return (text, { token, cwd }) => {
    const said = readClientInput(text);
    const input = { ...said, folder: said.folder ?? cwd };
    if (input.session !== undefined && input.contextTokens !== undefined)
      ports.noteContext(input.session, { used: input.contextTokens, size: input.contextSize });
    const key = JSON.stringify([input.session, input.folder, token]);
    const last = drawn.get(key);
    const now = ports.clock.monotonic();
    if (last !== undefined && !mayRedraw(last.at, now)) return last.line;
    let form = last?.form ?? "names";
    const line = draw(input, token, (perMinute) => (form = nextForm(form, perMinute, ports.statuslineMode)), {
      ...ports,
      treeOf,
    });
    drawn.delete(key);
    drawn.set(key, {
      at: now,
      line,
      get form() {
        return form;
      },
    });
    if (drawn.size > mostSessions) drawn.delete(drawn.keys().next().value!);
    line.catch(() => drawn.delete(key)); // the caller gets the error; the next call tries again
    return line;
  };
}

async function draw(
  input: ClientInput,
  token: string | undefined,
  decideForm: (perMinute: number) => Form,
  {
    authenticate,
    dispatch,
    clock,
    changes,
    statuslineMode,
    statuslineClient,
    unguardedIn,
    indexStates,
    treeOf,
  }: StatuslinePorts & { readonly treeOf: TreeOf },
): Promise<string> {
  const { folder, session } = input;
  const stranger = (): Promise<Caller> => authenticate({ token, projectPath: folder }, "anyone");
  // A session that has ended has no agent any more, and still has a line.
  const own = session === undefined ? undefined : { key: session, client: statuslineClient };
  const caller = await (own === undefined
    ? stranger()
    : authenticate({ token, projectPath: folder, session: own }, "anyone").catch(stranger));
  const project = caller.project?.id;
  const [tree, work, known] = await Promise.all([
    folder === undefined ? undefined : treeOf(folder),
    readOwnWork(input.transcript),
    coordinationOf(caller, { dispatch, now: clock.now(), unguardedIn }),
  ]);
  const form = decideForm(project === undefined ? 0 : changes.perMinute(project));
  const shown = project === undefined || statuslineMode !== "live" ? [] : changes.shown(project, known.own?.name);
  const index = caller.kind === "agent" ? indexStates.lastOf(caller.tree) : undefined;
  return renderLine({ input, tree, work, index, coordination: { ...known, form, changes: shown } });
}
