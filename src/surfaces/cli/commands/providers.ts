/** Model providers on the command line. */
import { operationCommand } from "../operation-command.ts";
import { readSecret } from "../read-secret.ts";

export const add = operationCommand("provider.add", {
  fields: ["name"],
  details:
    "Give the key as the name of a variable (--key-variable) or on standard input (--key -). A key on the command line is visible in the process list and stays in the shell's history.",
  async adjust({ key, ...input }, { out, json }) {
    if (key === undefined) return input;
    if (key === "-") return { ...input, key: await readSecret("Key (it is not shown): ") };
    if (!json) out.note("note: the key was visible in the process list; next time use --key - or --key-variable");
    return { ...input, key };
  },
  print: ({ provider }, out) =>
    out.line(
      `${provider.name} uses ${provider.model} (${provider.kind}, key: ${provider.key})${provider.isDefault ? ", the default" : ""}`,
    ),
});

export const list = operationCommand("provider.list", {
  print({ items }, out) {
    if (items.length === 0)
      return out.line(
        'No provider is configured; "sylk provider add --help" shows how, "sylk run --rehearse" needs none',
      );
    out.table(
      ["name", "kind", "model", "key", ""],
      items.map(({ name, kind, model, key, isDefault }) => [name, kind, model, key, isDefault ? "default" : ""]),
    );
  },
});

export const test = operationCommand("provider.test", {
  fields: ["name"],
  print: ({ ok, model, latencyMs, problem }, out) =>
    out.line(
      ok ? `${model} answered after ${latencyMs} ms` : `${out.paint("red", "no answer")}: ${problem ?? "unknown"}`,
    ),
});

export const remove = operationCommand("provider.remove", {
  fields: ["name"],
  print: (_, out) => out.line("Removed, with its key"),
});
