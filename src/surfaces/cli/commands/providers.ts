/** Model providers on the command line. */
import { errorFamilies, type ErrorFamily } from "../../../contract/errors.ts";
import type { OutputOf } from "../../../contract/index.ts";
import { operationCommand } from "../operation-command.ts";
import { readSecret } from "../read-secret.ts";

export const add = operationCommand("provider.add", {
  fields: ["name"],
  details:
    "Give the key as the name of a variable (--key-variable) or on standard input (--key -). A key on the command line is visible in the process list and stays in the shell's history.",
  async adjust({ key, ...input }, { out, json, env }) {
    const { keyVariable } = input;
    if (typeof keyVariable === "string" && !env[keyVariable] && !json)
      out.note(
        `note: the variable ${keyVariable} is not set in this shell; set it, then run "sylk down", and test with: sylk provider test ${String(input.name)}`,
      );
    if (key === undefined) return input;
    if (key === "-") return { ...input, key: await readSecret("Key (it is not shown): ") };
    if (!json) out.note("note: the key was visible in the process list; next time use --key - or --key-variable");
    return { ...input, key };
  },
  print({ provider }, out) {
    const { name, model, kind, key, isDefault, problem } = provider;
    out.line(`${name} uses ${model} (${kind}, key: ${key})${isDefault ? ", the default" : ""}`);
    if (problem !== undefined) out.note(`note: ${problem}`);
  },
});

export const list = operationCommand("provider.list", {
  print({ items }, out) {
    if (items.length === 0)
      return out.line(
        'No provider is configured; "sylk provider add --help" shows how, "sylk run --rehearse" needs none',
      );
    out.table(
      ["name", "kind", "model", "address", "key", ""],
      items.map(({ name, kind, model, baseUrl = `of ${kind}`, key, isDefault }) => [
        name,
        kind,
        model,
        baseUrl,
        key,
        isDefault ? "default" : "",
      ]),
    );
    for (const { name, problem } of items) if (problem !== undefined) out.note(`${name}: ${problem}`);
  },
});

export const test = operationCommand("provider.test", {
  fields: ["name"],
  details: "Exit code 2 when you can correct it (key, model, address), 6 at a rate limit, 7 when it cannot be reached.",
  exitCode: ({ ok, kind = "permanent" }) => (ok ? 0 : errorFamilies[familyOf[kind]].exit),
  print({ ok, model, latencyMs, problem, fix }, out) {
    if (ok) return out.line(`${model} answered after ${latencyMs} ms`);
    out.line(`${out.paint("red", "no answer")}: ${problem ?? "unknown"}`);
    if (fix !== undefined) out.line(`fix: ${fix}`);
  },
});

/** What the caller should do about a failure, as errors say it. */
const familyOf: Readonly<Record<NonNullable<OutputOf<"provider.test">["kind"]>, ErrorFamily>> = {
  "user-fixable": "invalid",
  permanent: "invalid",
  "rate-limit": "exhausted",
  transient: "unavailable",
  "provider-degraded": "unavailable",
  aborted: "unavailable",
};

export const remove = operationCommand("provider.remove", {
  fields: ["name"],
  print: (_, out) => out.line("Removed, with its key"),
});
