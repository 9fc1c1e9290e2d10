/**
 * Runs and graphs of the kept store, by name: what each was asked to do, and how its model answers. The maker of the store
 * plays them with answers that never come; the test that goes on with them plays them to the end.
 */
import {
  correction,
  edit,
  finish,
  plan,
  type Part,
  type Step,
  type Turn,
  work,
  write,
} from "../../flows/scenario-turns.ts";

export const runNames = [
  "awaiting",
  "evidence",
  "verified",
  "failed",
  "paused",
  "planning",
  "question",
  "working",
  "correcting",
] as const;
export type RunName = (typeof runNames)[number];

const constant = (name: string, type = ""): Part => write(`src/${name}.ts`, `export const ${name}${type} = 1;\n`);
const evidence = edit("test/format.test.ts", '"19.99"', "formatPrice(1999)");

/** With `slow` the named scenes stop in the middle: their model takes ten minutes to answer. */
export function turnsOf(name: RunName, slow: boolean): readonly Turn[] {
  const late = (part: Part): Step => (slow ? { reply: [part], fault: { delayMs: 600_000, times: 100 } } : part);
  const two = (second: readonly Turn[]): readonly Turn[] => [
    plan([{ key: "price" }, { key: "tax", dependsOn: ["price"] }]),
    ...work("price", constant("price"), finish("price holds")),
    ...second,
  ];
  switch (name) {
    case "awaiting":
    case "verified":
      return [plan([{ key: "price" }]), ...work("price", constant("price"), finish("price holds"))];
    case "evidence":
      return [plan([{ key: "price" }]), ...work("price", [constant("price"), evidence], finish("price holds"))];
    case "failed":
      return [plan([{ key: "price" }]), ...work("price", { tool: "give_up", input: { reason: "no ledger" } })];
    case "planning": {
      const [proposal, ...rest] = turnsOf("verified", slow);
      return [{ ...proposal!, ...(slow ? { fault: { delayMs: 600_000, times: 100 } } : {}) }, ...rest];
    }
    case "paused":
    case "working":
      return two(work("tax", constant("tax"), late(finish("tax holds"))));
    case "question":
      return [
        {
          when: { tool: "answer_engineer", mentions: "The engineer asks: Which rate?" },
          reply: [{ tool: "clarify", input: { question: "Which rate do your customers pay?" } }],
        },
        ...[constant("tax"), finish("tax holds")].map((part, turn): Turn => ({
          when: { tool: "finish", mentions: ['Do the work named "tax" here.', "Answer: 16"], turn },
          reply: [part],
        })),
        ...two(work("tax", constant("begun"), { tool: "request_help", input: { question: "Which rate?" } })),
      ];
    case "correcting":
      return [
        ...correction("no-any", constant("both"), late(finish("typed"))),
        plan([{ key: "both" }]),
        ...work("both", constant("both", ": any"), finish("both hold")),
      ];
  }
}

export const graphs = {
  "graph-running": { nodes: { first: { run: ["true"] }, second: { run: ["sh", "-c", "test -e go || sleep 600"] } } },
  "graph-paused": { nodes: { first: { run: ["true"] }, second: { run: ["true"], dependsOn: ["first"] } } },
  "graph-waiting": { nodes: { deploy: { run: ["true"], approve: true } } },
} as const;
