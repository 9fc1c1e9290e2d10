/** `sylk run adjust` and `sylk dag adjust`: a file says what changes in a graph. */
import { resolve } from "node:path";
import type { OutputOf } from "../../../contract/index.ts";
import type { CommandContext, WrittenCommand } from "../command.ts";
import { operationCommand } from "../operation-command.ts";
import type { Output } from "../output.ts";
import { readDagFile } from "./read-dag-file.ts";

type Adjusting = "run.adjust" | "dag.adjust";

export function adjustCommand<Name extends Adjusting>(
  operation: Name,
  terms: { readonly print: (answer: OutputOf<Name>, out: Output) => void },
  exampleId: string,
): WrittenCommand {
  const command = operationCommand(operation, {
    fields: ["id"],
    print: terms.print,
    example: `sylk ${operation.replace(".", " ")} ${exampleId} more.yaml --expected-version 1`,
    details: "The file holds nodes: those to add, or to replace by name; and remove: a list of names.",
    arguments: [
      { name: "id", describe: "Run or DAG run id", required: true },
      { name: "file", describe: "The changes, as YAML or JSON", required: true },
    ],
    without: ["nodes", "remove"],
    async adjust(input, context) {
      return { ...input, ...(await readChanges(context)).value };
    },
  });
  return {
    ...command,
    async run(context) {
      try {
        return await command.run(context);
      } catch (error) {
        throw await (await readChanges(context)).placed(error);
      }
    },
  };
}

function readChanges({ args, cwd }: Pick<CommandContext, "args" | "cwd">) {
  return readDagFile(resolve(cwd, String(args[1])), ["nodes", "remove"]);
}
