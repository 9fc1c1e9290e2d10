/** The newest of its kind where a command names none: the output says which, and what cannot be undone is asked first. */
import { invalidInput } from "../../contract/errors.ts";
import type { Dag, OutputOf } from "../../contract/index.ts";
import type { SylkClient } from "../client/index.ts";
import type { CommandContext } from "./command.ts";
import { confirm } from "./confirm.ts";
import { printableText } from "./printable.ts";

type Candidate = { readonly id: string; readonly title: string };
type RunItem = OutputOf<"run.list">["items"][number];

export type Newest = {
  /** "run that can be merged". */
  readonly what: string;
  /** What to type where there is none. */
  readonly otherwise: string;
  find(client: SylkClient): Promise<Candidate | undefined>;
  /** For what removes something: asked on a terminal, refused without one. */
  readonly isAsked?: boolean;
  /** The command's own first line names it. */
  readonly isNamedByCommand?: boolean;
};

/** Looked through from the newest on. */
const looked = 100;

export function newestRun(which: string, fits: (run: RunItem) => boolean = () => true, isAsked = false): Newest {
  return {
    what: `run${which === "" ? "" : ` ${which}`}`,
    otherwise: '"sylk runs" lists the runs',
    isAsked,
    async find(client) {
      const { items } = await client.call("run.list", { limit: looked });
      const found = items.find(fits);
      return found && { id: found.id, title: found.request };
    },
  };
}

export function newestDag(which: string, fits: (dag: Pick<Dag, "status">) => boolean = () => true): Newest {
  return {
    what: `DAG run${which === "" ? "" : ` ${which}`}`,
    otherwise: '"sylk dag list" lists the DAG runs',
    async find(client) {
      const { items } = await client.call("dag.list", { limit: looked });
      const found = items.find(fits);
      return found && { id: found.id, title: found.name };
    },
  };
}

/** Its id, after it was named; undefined when the person says no. */
export async function chooseNewest(
  newest: Newest,
  asTyped: string,
  { connect, json, out }: CommandContext,
): Promise<string | undefined> {
  const found = await newest.find(await connect());
  if (found === undefined)
    throw invalidInput(asTyped, "is missing", {
      sentence: `${asTyped} is missing, and this project has no ${newest.what}; ${newest.otherwise}`,
    });
  const named = `${found.id} "${printableText(found.title).slice(0, 60)}"`;
  if (newest.isAsked === true) {
    if (json || !process.stdin.isTTY || !process.stderr.isTTY)
      throw invalidInput(asTyped, "is missing", {
        sentence: `${asTyped} is missing, and there is no terminal to ask on; name it: ${named} is the newest ${newest.what}`,
      });
    return (await confirm(`${named} is the newest ${newest.what}. Continue?`)) ? found.id : undefined;
  }
  if (!json && newest.isNamedByCommand !== true) out.note(`the newest ${newest.what}: ${named}`);
  return found.id;
}
