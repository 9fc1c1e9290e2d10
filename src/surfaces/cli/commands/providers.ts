/** Model providers on the command line. */
import { operationCommand } from "../operation-command.ts";

export const add = operationCommand("provider.add", {
  words: "provider add",
  example: "sylk provider add claude --kind anthropic --model claude-sonnet-4-5 --key-variable ANTHROPIC_API_KEY",
  fields: ["name"],
  print: ({ provider }, out) =>
    out.line(
      `${provider.name} asks ${provider.model} (${provider.kind}, key: ${provider.key})${provider.isDefault ? ", the default" : ""}`,
    ),
});

export const list = operationCommand("provider.list", {
  words: "provider list",
  example: "sylk provider list",
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
  words: "provider test",
  example: "sylk provider test claude",
  fields: ["name"],
  print: ({ ok, model, latencyMs, problem }, out) =>
    out.line(
      ok ? `${model} answered after ${latencyMs} ms` : `${out.paint("red", "no answer")}: ${problem ?? "unknown"}`,
    ),
});

export const remove = operationCommand("provider.remove", {
  words: "provider remove",
  example: "sylk provider remove claude",
  fields: ["name"],
  print: (_, out) => out.line("Forgotten, with its key"),
});
