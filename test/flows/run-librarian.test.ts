/** What a run's models know of the code: every skill of the Librarian is a tool of the Architect and of an Engineer. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { finish, plan, type Part, work, write } from "./scenario-turns.ts";
import { openScratchDaemon, type ScratchDaemon } from "./scratch-daemon.ts";
import { makeQuickShop, shopEnv } from "./scratch-shop.ts";

let daemon: ScratchDaemon;
beforeAll(async () => {
  daemon = await openScratchDaemon({ env: shopEnv });
});
afterAll(() => daemon[Symbol.asyncDispose]());

const use = (tool: string, input: Readonly<Record<string, unknown>>): Part => ({ tool, input });

/** Each with what the answer must hold, as the run's tree has it. */
const looks: readonly (readonly [Part, string])[] = [
  [use("explain_pattern", { pattern: "wrapGift" }), '"exists":"yes".*src/gift.ts'],
  [use("search_ast", { pattern: "wrapGift($$$)" }), "src/parcel.ts"],
  [use("find_symbol", { name: "wrapGift", kind: "function" }), "src/gift.ts"],
  [use("search_code", { query: "wrapGift", file_pattern: "src/**" }), "src/parcel.ts"],
  [use("find_usages", { symbol: "wrapGift" }), "src/parcel.ts"],
  [use("analyze_imports", { package: "src/gift.ts" }), "src/parcel.ts"],
  [use("get_file", { path: "src/gift.ts", start_line: 1, end_line: 1 }), "export function wrapGift"],
  [use("list_files", { pattern: "src/g*.ts" }), "src/gift.ts"],
  [use("find_files", { path: "src", name: "gift*", type: "f" }), "src/gift.ts"],
  [use("get_structure", { path: "src" }), "gift.ts"],
  [use("identify_languages", { path: "src" }), "typescript"],
  [use("identify_tooling", { path: "." }), "packageManagers"],
  [use("get_tool_config", { tool: "no-such-tool", path: "." }), "shows no tool"],
  [use("scan_remote_repo", { url: "https://example.com/a" }), "scan.hosts"],
];
const files = {
  "src/gift.ts": 'export function wrapGift(name: string): string {\n  return name + "!";\n}\n',
  "src/parcel.ts": 'import { wrapGift } from "./gift.ts";\n\nexport const parcel = wrapGift("tea");\n',
};

/** Calls them all, one after the other; each turn checks the answer before it. */
function asking(last: Part): { expect?: { toolResult: string }; reply: readonly Part[] }[] {
  return [...looks.map(([call]) => call), last].map((call, turn) => ({
    reply: [call],
    ...(turn === 0 ? {} : { expect: { toolResult: looks[turn - 1]![1] } }),
  }));
}

it(
  "an Engineer gets the real answer of every skill of the Librarian, also about what it has just written",
  { timeout: 120_000 },
  async () => {
    const shop = makeQuickShop(daemon, files);
    const { run } = await shop.run([
      plan([{ key: "gift" }]),
      ...work(
        "gift",
        ...asking(write("src/ribbon.ts", "export function tieRibbon(): void {}\n")),
        use("find_symbol", { name: "tieRibbon" }),
        { expect: { toolResult: "src/ribbon.ts" }, reply: [finish()] },
      ),
    ]);
    expect([run.status, run.reason]).toEqual(["verified", undefined]);
  },
);

it(
  "the Architect gets the real answer of every skill of the Librarian before it proposes a plan",
  { timeout: 120_000 },
  async () => {
    const shop = makeQuickShop(daemon, files);
    const [proposal] = [plan([{ key: "gift" }])];
    const turns = asking(proposal.reply[0]!).map((turn, index) => ({
      ...turn,
      when: { tool: "propose_plan", turn: index },
    }));
    const { run } = await shop.run([
      ...turns,
      ...work("gift", write("src/bow.ts", "export const bow = 1;\n"), finish()),
    ]);
    expect([run.status, run.reason]).toEqual(["verified", undefined]);
  },
);
