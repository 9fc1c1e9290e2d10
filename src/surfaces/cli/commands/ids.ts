/** `sylk id`: which thing a part of an id, or a name, stands for. */
import { operationCommand } from "../operation-command.ts";

export const find = operationCommand("id.find", {
  example: "sylk id 01jd8q3m",
  details: "Every command that takes an id takes such a word too, as long as it fits one thing only.",
  fields: ["text"],
  print({ items, more }, out) {
    if (items.length === 0) return out.line("Nothing has an id with this part, or this name");
    out.table(
      ["id", "what it is"],
      items.map(({ id, title }) => [id, title]),
    );
    if (more) out.note("more match; type more of the id");
  },
});
