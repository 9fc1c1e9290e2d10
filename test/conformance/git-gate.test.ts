import { clientAdapterSuite } from "./client-adapter.ts";
import { gitGate } from "../../src/adapters/git-gate/index.ts";

const records = (...texts: readonly string[]): string => texts.map((text) => `${text}\0`).join("");

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
    body: records("tree=/home/ada/shop", "session=nobody:1", "", "a.ts"),
    means: { kind: "commit", session: undefined },
  },
]);
