import { clientAdapterSuite } from "./client-adapter.ts";
import { gitGate } from "../../src/adapters/commit-gate/index.ts";

const records = (...texts: readonly string[]): string => texts.map((text) => `${text}\0`).join("");

const object = (digit: string): string => digit.repeat(40);
const rawChange = [
  `:000000 100644 ${object("0")} ${object("1")} A`,
  "a.ts",
  `:100644 100644 ${object("1")} ${object("2")} M`,
  "b.ts",
  "1\t0\ta.ts",
  "1\t1\tb.ts",
];

clientAdapterSuite(gitGate, [
  {
    event: "pre-commit",
    body: records("tree=/home/ada/shop", "session=claude-code:5b1c", "pid=77", "", "a b.ts", "line\nbreak"),
    means: {
      kind: "commit",
      cwd: "/home/ada/shop",
      paths: ["a b.ts", "line\nbreak"],
      session: { key: "5b1c", client: "claude-code", pid: 77 },
    },
  },
  {
    event: "pre-commit",
    body: records(
      "tree=/home/ada/a=b",
      "agent=heron",
      "override= the build is red ",
      "ancestors=12,x,1,99",
      "",
      "a.ts",
    ),
    means: { kind: "commit", cwd: "/home/ada/a=b", actAs: "heron", override: "the build is red", ancestors: [12, 99] },
  },
  { event: "pre-commit", body: records("tree=/home/ada/shop", ""), means: undefined },
  {
    event: "pre-commit",
    body: records("tree=/home/ada/shop", "token=7", "form=raw", "", ...rawChange),
    means: { kind: "commit", paths: ["a.ts", "b.ts"], removes: ["b.ts"], fencingToken: 7 },
  },
  {
    event: "pre-commit",
    body: records("tree=/home/ada/shop", "brings=others", "form=raw", "", ...rawChange),
    means: { kind: "commit", paths: ["a.ts", "b.ts"], removes: [] },
  },
  {
    event: "post-commit",
    body: records("tree=/home/ada/shop", "commit=4c2a1f0", "subject=Two lines", "form=raw", "", ...rawChange),
    means: { kind: "committed", commit: "4c2a1f0", subject: "Two lines", paths: ["a.ts", "b.ts"] },
  },
  {
    event: "pre-commit",
    body: records("tree=/home/ada/shop", "session=No Client:1", "", "a.ts"),
    means: { kind: "commit", session: undefined },
  },
]);
