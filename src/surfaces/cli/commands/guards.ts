/** Guards on the command line. */
import type { Guard } from "../../../contract/index.ts";
import { operationCommand } from "../operation-command.ts";
import { left } from "../wording.ts";

export const list = operationCommand("guard.list", {
  words: "guard list",
  example: "sylk guard list",
  print: ({ items }, out) =>
    out.table(
      ["guard", "when nobody can be asked", "override"],
      items.map((guard) => [guard.guard, guard.mode, overrideText(guard)]),
    ),
});

export const override = operationCommand("guard.override", {
  words: "guard override",
  example: 'sylk guard override commit --why "hot fix while the store is restored" --minutes 15',
  fields: ["guard"],
  print: ({ guard }, out) => out.line(`${guard.guard}: ${overrideText(guard)} (${guard.mode} otherwise)`),
});

function overrideText({ override: now }: Guard): string {
  return now === undefined ? "none" : `everything passes, ${left(now.until)}: ${now.why}`;
}
