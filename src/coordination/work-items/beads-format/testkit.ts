/** Generated issues.jsonl files: every field beads writes, every kind of link, and unknown fields. */
import fc from "fast-check";

const time = fc
  .record({
    ms: fc.integer({ min: 1_600_000_000_000, max: 1_800_000_000_000 }),
    zone: fc.constantFrom("Z", "-08:00", "+05:30"),
  })
  .map(({ ms, zone }) => `${new Date(ms).toISOString().slice(0, -1)}${ms % 1_000}${zone}`); // clock-exempt: a generated time
const text = fc.string({ unit: "grapheme", maxLength: 30 });
const someText = fc.string({ unit: "grapheme", minLength: 1, maxLength: 30 });
const kinds = [
  "blocks",
  "related",
  "discovered-from",
  "parent-child",
  "replies-to",
  "duplicates",
  "conditional-blocks",
];

/** An issue without its links; `null` and absence are different things in a file. */
const fields = fc.record(
  {
    title: someText,
    description: text,
    design: text,
    acceptance_criteria: text,
    notes: text,
    status: fc.constantFrom(
      "open",
      "in_progress",
      "blocked",
      "deferred",
      "closed",
      "tombstone",
      "pinned",
      "hooked",
      "in-review",
    ),
    priority: fc.integer({ min: 0, max: 4 }),
    issue_type: fc.constantFrom("bug", "feature", "task", "epic", "chore", "merge-request", "Custom Kind"),
    assignee: text,
    estimated_minutes: fc.nat(),
    created_at: time,
    created_by: text,
    updated_at: time,
    closed_at: fc.option(time),
    close_reason: text,
    closed_by_session: text,
    due_at: time,
    defer_until: time,
    external_ref: fc.option(text),
    compaction_level: fc.nat({ max: 3 }),
    compacted_at: time,
    original_size: fc.nat(),
    labels: fc.option(fc.array(someText, { maxLength: 4 })),
    comments: fc.array(fc.record({ id: fc.nat(), author: text, text, created_at: time }), { maxLength: 2 }),
    deleted_at: time,
    deleted_by: text,
    delete_reason: text,
    original_type: text,
    sender: text,
    ephemeral: fc.boolean(),
    pinned: fc.boolean(),
    is_template: fc.boolean(),
    bonded_from: fc.array(fc.record({ source_id: text, bond_type: text }), { maxLength: 1 }),
    validations: fc.array(fc.record({ outcome: text, score: fc.float({ noNaN: true, noDefaultInfinity: true }) }), {
      maxLength: 1,
    }),
    await_type: text,
    timeout: fc.maxSafeInteger(),
    waiters: fc.array(text, { maxLength: 2 }),
    metadata: fc.jsonValue({ maxDepth: 2 }),
    a_field_of_next_year: fc.jsonValue({ maxDepth: 2 }),
  },
  { requiredKeys: ["title"] },
);
const links = fc.array(
  fc.record({ to: fc.nat(), kind: fc.constantFrom(...kinds), dangling: fc.boolean(), created_at: time }),
  {
    maxLength: 4,
  },
);

const idOf = (index: number): string => (index % 3 === 0 ? `bd-${index}` : `shop-a${index}.${index % 7}`);

/** Blocks only lead backwards, as beads allows no circles; the other kinds lead anywhere, also to what is not in the file. */
export function issueFile(maxLength: number, minLength = 1): fc.Arbitrary<readonly string[]> {
  return fc.array(fc.tuple(fields, links), { minLength, maxLength }).map((rows) =>
    rows.map(([row, wanted], index) => {
      const dependencies = wanted.flatMap(({ to, kind, dangling, created_at }) => {
        const leads = kind === "blocks" || kind === "parent-child";
        const target = leads ? (index === 0 ? undefined : to % index) : to % rows.length;
        if (target === undefined || target === index) return [];
        const depends_on_id = dangling ? `gone-${to}` : idOf(target);
        return [{ issue_id: idOf(index), depends_on_id, type: kind, created_at, created_by: "ada", metadata: "{}" }];
      });
      return JSON.stringify({ id: idOf(index), ...row, ...(dependencies.length === 0 ? {} : { dependencies }) });
    }),
  );
}
