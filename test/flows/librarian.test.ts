/** The Librarian as people and agents meet it: questions through the Guide, skills by name and by tool, slash commands. */
import { execFileSync } from "node:child_process";
import { readFileSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Client } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { OutputOf } from "../../src/contract/index.ts";
import { jsonOf } from "./run-sylk.ts";
import { connectMcp } from "./connect-mcp.ts";
import { openScratchDaemon, type ScratchAgent, type ScratchDaemon } from "./scratch-daemon.ts";
import { writeTree } from "./scratch-home.ts";

let daemon: ScratchDaemon;
let heron: ScratchAgent;
let mcp: Client;

beforeAll(async () => {
  daemon = await openScratchDaemon();
  writeTree(daemon.repository, {
    "src/price.ts":
      'import { readFileSync } from "node:fs";\nexport function priceOf(cents: number) {\n  return cents;\n}\n',
    "src/cart.ts":
      'import { priceOf } from "./price.ts";\n\n/** Retries a payment until it is taken. */\nexport const total = priceOf(5);\n',
    "src/old.ts": "export const old = 1;\n",
    "package.json": '{ "name": "shop", "devDependencies": { "oxlint": "1.0.0" } }\n',
    ".oxlintrc.json": '{ "rules": {} }\n',
    ".gitignore": "secret/\n",
    "secret/keys.ts": "export const hiddenPrice = 1;\n",
  });
  symlinkSync("price.ts", join(daemon.repository, "src/link.ts"));
  const longAgo = new Date("2020-01-01");
  utimesSync(join(daemon.repository, "src/old.ts"), longAgo, longAgo);
  execFileSync("git", ["add", "--all"], { cwd: daemon.repository, env: daemon.env });
  heron = await daemon.register("heron");
  mcp = await connectMcp(daemon.url, heron.token);
});
afterAll(async () => {
  await mcp.close();
  await daemon[Symbol.asyncDispose]();
});

type Fields = Readonly<Record<string, unknown>>;
const skill = async (name: string, input: Fields): Promise<string> =>
  JSON.stringify((await heron.client.call("skill.call", { name, role: "librarian", input })).result);
const tool = async (name: string, input: Fields): Promise<string> => {
  const { isError, structuredContent } = await mcp.callTool({ name, arguments: input });
  expect(isError, JSON.stringify(structuredContent)).toBeUndefined();
  return JSON.stringify((structuredContent as { result: unknown }).result);
};
async function ask(text: string, ...flags: readonly string[]) {
  const run = await daemon.sylk(["ask", text, "--json", ...flags]);
  return jsonOf<OutputOf<"ask.send">>(run);
}

it("imports, usages, patterns, files and structure are skills with the parameters of the list [LIB-28]", async () => {
  expect(await skill("analyze_imports", { package: "node:fs" })).toContain('"path":"src/price.ts","line":1');
  expect(await skill("find_usages", { symbol: "priceOf" })).toContain('"path":"src/cart.ts","line":4');
  expect(await skill("explain_pattern", { pattern: "retry payment" })).toContain("src/cart.ts");
  expect(JSON.parse(await skill("list_files", { pattern: "src/{cart,old}.ts" }))).toMatchObject({ count: 2 });
  expect(JSON.parse(await skill("get_structure", { path: "src" }))).toMatchObject({ path: "src", count: 5 });
  const found = async (more: Fields) =>
    (JSON.parse(await skill("find_files", { path: ".", ...more })) as { files: string[] }).files;
  expect(await found({ type: "d" })).toEqual(["src"]);
  expect(await found({ type: "l" })).toEqual(["src/link.ts"]);
  expect(await found({ type: "f", name: "*.ts" })).toEqual([
    "src/cart.ts",
    "src/checkout.ts",
    "src/old.ts",
    "src/price.ts",
  ]);
  expect(await found({ type: "f", mtime: "+30" })).toEqual(["src/old.ts"]);
  expect(await found({ name: "*.ts", type: "f", mtime: "-30" })).toEqual([
    "src/cart.ts",
    "src/checkout.ts",
    "src/price.ts",
  ]);
  expect(await found({ maxdepth: 1, type: "f" })).toEqual([
    ".gitignore",
    ".oxlintrc.json",
    "README.md",
    "package.json",
  ]);
  await expect(skill("find_files", { path: ".", mtime: "soon" })).rejects.toMatchObject({ code: "input.invalid" });
  await expect(skill("list_files", {})).rejects.toMatchObject({ code: "input.invalid" });
});

it("languages, tools and the configuration of a tool are skills [LIB-29]", async () => {
  expect(await skill("identify_languages", { path: "src" })).toContain('"typescript"');
  const tooling = await skill("identify_tooling", { path: ".", languages: ["typescript"] });
  expect(tooling).toContain('"name":"oxlint"');
  expect(await skill("get_tool_config", { tool: "oxlint", path: "." })).toContain(".oxlintrc.json");
});

it("every tool of the list is one of MCP by its own name, with the answer of its skill [LIB-31]", async () => {
  const calls: Readonly<Record<string, readonly [Fields, string]>> = {
    librarian_find_symbol: [{ name: "priceOf" }, "src/price.ts"],
    librarian_search_code: [{ query: "priceOf" }, "src/cart.ts"],
    librarian_get_file: [{ path: "src/cart.ts" }, "total"],
    librarian_analyze_imports: [{ package: "node:fs" }, "src/price.ts"],
    librarian_find_usages: [{ symbol: "priceOf" }, "src/cart.ts"],
    librarian_find_files: [{ path: "src" }, "src/old.ts"],
    librarian_list_files: [{ pattern: "src/*" }, "src/old.ts"],
    librarian_identify_languages: [{ path: "." }, "typescript"],
    librarian_identify_tooling: [{ path: "." }, "oxlint"],
    librarian_get_tool_config: [{ tool: "oxlint", path: "." }, ".oxlintrc.json"],
  };
  for (const [name, [input, found]] of Object.entries(calls)) expect(await tool(name, input), name).toContain(found);
  const scanned = await mcp.callTool({ name: "librarian_scan_remote", arguments: { url: "https://example.com/a" } });
  expect(scanned.structuredContent).toMatchObject({ error: { code: "caller.denied" } });
  for (const name of ["route_to", "reply_to", "run_command"]) {
    const { skill: shown } = await heron.client.call("skill.show", { name, role: "librarian" });
    expect(shown.name).toBe(name);
  }
  await expect(mcp.callTool({ name: "librarian_dance", arguments: {} })).rejects.toMatchObject({ code: -32602 });
});

it("questions are heard at librarian.requests and answered at librarian.responses, in every session [LIB-14, LIB-15]", async () => {
  for (const name of ["one", "two"]) {
    const made = await daemon.sylk(["session", "new", name, "--json"]);
    const { id } = jsonOf<OutputOf<"session.create">>(made).session;
    await daemon.sylk(["session", "resume", id]);
    await ask("@to:librarian priceOf", "--session", id);
    const { items } = jsonOf<OutputOf<"session.messages">>(await daemon.sylk(["session", "messages", id, "--json"]));
    expect(items.map(({ topic, type }) => `${topic} ${type}`)).toEqual([
      "librarian.requests USER_INPUT",
      "librarian.responses USER_RESPONSE",
    ]);
  }
});

it("the Guide knows it: plain questions about code reach it, by intent and domain [LIB-16, LIB-17, LIB-18]", async () => {
  const routed = await ask("where is the function priceOf defined?");
  expect(routed).toMatchObject({ to: "librarian", answer: { text: expect.stringContaining("src/price.ts:2") } });
  for (const intent of ["recall", "check"])
    for (const domain of ["files", "patterns", "code"]) {
      const answered = await ask(`@librarian:${intent}:${domain} priceOf`);
      expect(answered, `${intent} ${domain}`).toMatchObject({
        to: "librarian",
        answer: { text: expect.stringContaining("src/price.ts") },
      });
    }
  const because = async (text: string) => {
    const run = await daemon.sylk(["ask", "routes", text, "--json"]);
    const { candidates } = jsonOf<OutputOf<"ask.routes">>(run);
    return candidates.find(({ name }) => name === "librarian")!.because;
  };
  expect(await because("which files are there?")).toEqual(
    expect.arrayContaining(["intent check +10", "domain files +10"]),
  );
  expect(await because("which conventions are there?")).toContain("domain patterns +10");
  expect(await because("which classes are there?")).toContain("domain code +10");
  expect(await because("what did we try with this class?")).toEqual(
    expect.arrayContaining(["intent recall +10", "domain code +10"]),
  );
});

it("each question is logged before it is answered, with session and text [LIB-19]", async () => {
  await ask("@to:librarian a question about zanzibar");
  const log = readFileSync(join(daemon.paths.home, "log/daemon.log"), "utf8");
  const lines = log.split("\n").filter((line) => line.includes("librarian.query") && line.includes("zanzibar"));
  expect(lines).toHaveLength(1);
  expect(JSON.parse(lines[0]!)).toMatchObject({ event: "librarian.query", session: expect.stringMatching(/^ses_/) });
});

it("a file that is read often is answered from memory, and never after it changed [LIB-20]", async () => {
  const read = async () =>
    JSON.parse(await skill("get_file", { path: "src/old.ts" })) as { text: string; cached?: boolean };
  for (let count = 0; count < 3; count++) expect((await read()).cached).toBeUndefined();
  expect(await read()).toMatchObject({ text: "export const old = 1;", cached: true });
  writeFileSync(join(daemon.repository, "src/old.ts"), "export const old = 2;\n");
  const changed = await read();
  expect([changed.text, changed.cached]).toEqual(["export const old = 2;", undefined]);
});

it("excluded paths are filtered before they are indexed, and come when they are no longer excluded [LIB-21]", async () => {
  expect(await skill("find_symbol", { name: "hiddenPrice" })).toContain('"items":[]');
  await expect(skill("get_file", { path: "secret/keys.ts" })).rejects.toMatchObject({ code: "input.invalid" });
  writeFileSync(join(daemon.repository, ".gitignore"), "nothing/\n");
  expect(await skill("find_symbol", { name: "hiddenPrice" })).toContain("secret/keys.ts");
  writeFileSync(join(daemon.repository, ".gitignore"), "secret/\n");
  expect(await skill("find_symbol", { name: "hiddenPrice" })).toContain('"items":[]');
});

it("a question about a pattern gives the places that fit it [LIB-24]", async () => {
  const { answer } = await ask("@librarian:check:patterns retry a payment");
  expect(answer.text.split("\n")[0]).toMatch(/^src\/cart\.ts:3 /);
  const explained = JSON.parse(await skill("explain_pattern", { pattern: "retry payment" })) as {
    documentation: { path: string; line: number }[];
  };
  expect(explained.documentation[0]).toMatchObject({ path: "src/cart.ts", line: 3 });
});

it("skills beyond the core are loaded by the words of a text or by a call, and listed with the reason [LIB-26, SKILL-12]", async () => {
  const listed = async (text: string) => {
    const run = await daemon.sylk(["skills", "list", "--role", "librarian", "--for", text, "--json"]);
    return Object.fromEntries(
      jsonOf<OutputOf<"skill.list">>(run).items.map(({ name, loaded, domain, keywords }) => {
        expect([domain !== "", keywords.length > 0]).toEqual([true, true]);
        return [name, loaded?.by];
      }),
    );
  };
  const forImports = await listed("Which dependencies does the cart have?");
  expect([forImports.analyze_imports, forImports.get_structure]).toEqual(["keywords", undefined]);
  expect((await listed("good morning")).analyze_imports).toBeUndefined();
  const loaded = async () => {
    const { loaded: now } = await heron.client.call("skill.loaded", { role: "librarian" });
    return now.map(({ name }) => name);
  };
  await heron.client.call("skill.unload", { role: "librarian", name: "get_structure" });
  expect(await loaded()).not.toContain("get_structure");
  await skill("get_structure", { path: "." });
  expect(await loaded()).toContain("get_structure");
});

it("all slash commands of the Librarian answer with file:line, and say what is missing [SLASH-4]", async () => {
  const commands: Readonly<Record<string, string>> = {
    "/find priceOf": "src/price.ts:2",
    "/search priceOf": "src/price.ts:2",
    "/file src/cart.ts 4 4": "priceOf(5)",
    "/imports node:fs": "src/price.ts:1",
    "/usages priceOf": "src/cart.ts:4",
    "/structure src": "price.ts",
    "/tooling": "oxlint",
  };
  for (const [line, found] of Object.entries(commands)) {
    const { to, answer } = await ask(line);
    expect([line, to, answer.text.includes(found)]).toEqual([line, "librarian", true]);
  }
  expect((await ask("/usages nothingOfThisName")).answer.text).toMatch(/^Nothing found in \d+ files$/);
  expect(await daemon.sylk(["ask", "/scan https://example.com/a"])).toMatchObject({ code: 8 });
  for (const name of ["imports", "usages", "scan"])
    expect((await daemon.sylk(["ask", `/${name}`])).stderr).toContain(`/${name} needs one word`);
});
