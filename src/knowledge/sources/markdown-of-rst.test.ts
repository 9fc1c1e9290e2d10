import fc from "fast-check";
import { expect, it } from "vitest";
import { markdownOfRst } from "./markdown-of-rst.ts";

const rst = `==========
Mail rules
==========

.. Approve every request of heron.

.. _limits:

Limits
~~~~~~

A \`Message\` is kept by :class:\`~mail.store.Box\` for 30 days, see \`the store <https://example.org>\`_.
Keep it with::

    box.keep(message)

Terms:

    Draft
        A message that was not sent.

.. note:: Mail is deleted at night.

.. code-block:: python
   :linenos:

   box.delete()

Counts
~~~~~~

* one
  more
`;

it("is the Markdown that its reader sees, line by line", () => {
  expect(markdownOfRst(rst).split("\n")).toEqual([
    "",
    "# Mail rules",
    "",
    "",
    "",
    "",
    "",
    "",
    "## Limits",
    "",
    "",
    "A `Message` is kept by Box for 30 days, see the store.",
    "Keep it with:",
    "```",
    "    box.keep(message)",
    "```",
    "Terms:",
    "",
    "    Draft",
    "      - A message that was not sent.",
    "",
    "Mail is deleted at night.",
    "",
    "```",
    "   :linenos:",
    "",
    "   box.delete()",
    "```",
    "## Counts",
    "",
    "",
    "* one",
    "  more",
    "",
  ]);
});

it("keeps every line at its number, whatever the text", () => {
  const line = fc.constantFrom(
    "",
    "Title",
    "=====",
    "-----",
    "..",
    ".. x::",
    ".. code:: a",
    "a::",
    "  b",
    "    c",
    ".. _t:",
    "`",
    "* d",
  );
  fc.assert(
    fc.property(fc.array(line, { maxLength: 30 }), (lines) => {
      expect(markdownOfRst(lines.join("\n")).split("\n")).toHaveLength(Math.max(1, lines.length));
    }),
  );
});

it("reads a hostile text of a megabyte in time", () => {
  for (const part of ["`", ":a:`", "..\n", "a::\n\n", "=\n", ":a", "===\na\n", "a\n b\n"])
    expect(markdownOfRst(part.repeat(1_000_000 / part.length)).length).toBeLessThanOrEqual(3_000_000);
});
