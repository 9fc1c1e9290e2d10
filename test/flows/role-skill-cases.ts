/** What each skill is called with, and what it then gives or refuses: by its name, or by role and name. */
import { expect } from "vitest";
import type { DagId, SessionId } from "../../src/contract/index.ts";

export type Fields = Readonly<Record<string, unknown>>;
export type Case = {
  readonly input: Fields;
  readonly gives?: unknown;
  readonly refuses?: { readonly code: string; readonly message: unknown };
};
/** All wait for an approval; the last is another session's. */
export type Graphs = Readonly<Record<"doomed" | "running" | "foreign", DagId>>;
type World = { readonly run: string; readonly session: SessionId; readonly doomed: SessionId; readonly graphs: Graphs };

export const having = (fields: object): unknown => expect.objectContaining(fields);
export const some = (fields: object): unknown => expect.arrayContaining([having(fields)]);
export const text = (part: string): unknown => expect.stringContaining(part);

export function casesOf({ run, session, doomed, graphs }: World): Readonly<Record<string, Case>> {
  const onGraph = (which: keyof Graphs, input: Fields, gives: object): Case => ({
    input: { dag_id: graphs[which], ...input },
    gives: { dag: having(gives) },
  });
  const found = { data: having({ files: some({ path: "src/cart.ts" }) }) };
  const nobodyWaits = { code: "input.invalid", message: text("waits for an answer") };
  return {
    route_to: { input: { target: "archivalist", message: "what?" }, gives: { answer: having({ to: "archivalist" }) } },
    route_from: { input: { source: "tester", message: "?", correlation_id: "msg_open" }, gives: { open: 1 } },
    reply_to: { input: { correlation_id: "msg_open", response: "yes" }, refuses: nobodyWaits },
    broadcast: {
      input: { targets: ["archivalist"], message: "what?" },
      gives: { told: some({ to: "archivalist", arrived: true }) },
    },
    "guide.route": { input: { input: "@to:archivalist what?" }, gives: { to: "archivalist", session } },
    "guide.guide_route": {
      input: { agent: "archivalist", prompt: "what?" },
      gives: { answer: having({ to: "archivalist" }) },
    },
    "guide.help": { input: { topic: "/file" }, gives: { help: [text("/file")] } },
    "guide.status": { input: {}, gives: { limit: 100 } },
    "guide.agents": { input: {}, gives: some({ name: "tester" }) },
    "guide.sessions": { input: { all: true }, gives: { items: some({ id: session }) } },
    "guide.metrics": { input: { session_id: session }, gives: { session: having({ id: session }) } },
    "guide.switch_session": { input: { session_id: session }, gives: { session: having({ id: session }) } },
    "guide.create_session": { input: { name: "made" }, gives: { session: having({ name: "made" }) } },
    "guide.close_session": { input: { session_id: doomed }, gives: { session: having({ state: "completed" }) } },
    "architect.query_context": { input: { query: "total" }, gives: found },
    "engineer.consult_librarian": { input: { query: "total" }, gives: found },
    "architect.run_command": { input: { command: "/status" }, gives: { status: "unverified" } },
    "inspector.run_command": { input: { command: "/issues" }, gives: { run, issues: some({ by: "tester" }) } },
    "tester.run_command": { input: { command: "/test results" }, gives: { run, checks: some({ outcome: "fail" }) } },
    "librarian.run_command": { input: { command: "/file", args: ["src/cart.ts"] }, gives: { text: text("total(") } },
    "orchestrator.get_status": { input: {}, gives: { items: some({ id: graphs.running }) } },
    "orchestrator.cancel_execution": onGraph("doomed", {}, { status: "cancelled" }),
    "orchestrator.pause_execution": onGraph("running", {}, { status: "paused" }),
    "orchestrator.resume_execution": onGraph("running", {}, { id: graphs.running }),
    "orchestrator.retry_node": onGraph("running", { node_id: "bad" }, { nodes: some({ name: "bad" }) }),
    "orchestrator.skip_node": onGraph(
      "running",
      { node_id: "gate" },
      { nodes: some({ name: "gate", state: "skipped" }) },
    ),
    "orchestrator.get_node_result": onGraph("running", { node_id: "said" }, { nodes: some({ output: "hello\n" }) }),
    "inspector.get_issues": { input: { severity: "high" }, gives: { issues: some({ category: "tests" }) } },
    "inspector.run_linter": { input: { path: "." }, gives: { outcome: "pass" } },
    "inspector.list_available_tools": { input: { path: "." }, gives: { tests: having({ argv: expect.anything() }) } },
    "tester.run_tests": { input: { verbose: true }, gives: { outcome: "fail", findings: some({ by: "tester" }) } },
    "tester.get_results": { input: { run_id: run }, gives: { run, checks: some({ kind: "tests" }) } },
    "tester.cat_file": { input: { path: "src/cart.ts", tail: 2 }, gives: { of: 6, from: 5 } },
    "tester.grep_output": {
      input: { pattern: "TOTAL", path: "src/cart.ts", case_insensitive: true },
      gives: { matches: [having({ line: 4 })] },
    },
    find_symbol: { input: { name: "total", kind: "function" }, gives: { items: some({ path: "src/cart.ts" }) } },
    find_usages: { input: { symbol: "total" }, gives: { definitions: some({ path: "src/cart.ts", name: "total" }) } },
    search_code: { input: { query: "total" }, gives: found },
    "librarian.analyze_imports": { input: { package: "src/cart.ts" }, gives: { items: expect.any(Array) } },
    "librarian.explain_pattern": {
      input: { pattern: "total" },
      gives: { symbols: some({ name: "total" }), places: some({ path: "src/cart.ts" }) },
    },
    "librarian.search_ast": {
      input: { pattern: "function total($$$): $TYPE { $$$ }", language: "typescript", file_pattern: "src/*" },
      gives: { items: some({ path: "src/cart.ts" }) },
    },
    "librarian.search_code": { input: { query: "total", file_pattern: "src/*" }, gives: found },
    "librarian.get_file": {
      input: { path: "src/cart.ts", start_line: 4, end_line: 4 },
      gives: { text: text("total(") },
    },
    "librarian.list_files": { input: { pattern: "src/**" }, gives: { files: expect.arrayContaining(["src/cart.ts"]) } },
    "librarian.scan_tools": {
      input: { path: ".", category: "linter" },
      gives: { answers: [having({ category: "linter", tier: 1, tools: some({ name: "oxlint" }) })] },
    },
    "librarian.identify_languages": { input: { path: "src" }, gives: { languages: some({ name: "typescript" }) } },
    "librarian.identify_tooling": {
      input: { path: ".", languages: ["typescript"] },
      gives: { tools: some({ name: "oxlint", language: "typescript" }), missing: some({ category: "formatter" }) },
    },
    "librarian.get_tool_config": {
      input: { tool: "oxlint", path: "." },
      gives: { config: having({ path: ".oxlintrc.json", text: text("rules") }) },
    },
    "librarian.scan_remote_repo": {
      input: { url: "https://example.com/a/b" },
      refuses: { code: "caller.denied", message: text("scan.hosts") },
    },
    "librarian.get_structure": { input: { path: "." }, gives: { folders: some({ name: "src" }) } },
    find_files: { input: { path: "src", name: "c*", type: "f" }, gives: { files: ["src/cart.ts"], count: 1 } },
    "academic.research": { input: { query: "herons" }, gives: { outcome: "no-source" } },
    "academic.find_examples": { input: { topic: "herons" }, gives: { items: [] } },
    "academic.ingest_github": { input: { url: "." }, gives: { source: having({ kind: "repository" }) } },
    "academic.ingest_article": {
      input: { url: "https://docs.example.com/a" },
      refuses: { code: "caller.denied", message: text("knowledge.allowHosts") },
    },
    "academic.compare_approaches": {
      input: { topic: "herons vs crows" },
      gives: { approaches: some({ name: "crows", outcome: "no-source" }) },
    },
    "academic.find_rfc": { input: { topic: "herons" }, gives: { outcome: "no-source", sections: [] } },
    "academic.generate_paper": { input: { topic: "herons" }, gives: { outcome: "no-source", depth: "detailed" } },
    "academic.research_tools": {
      input: { languages: ["python"], category: "linter" },
      gives: { satisfactory: false, requiresUser: true },
    },
    "academic.run_command": { input: { command: "/sources" }, gives: { text: expect.any(String) } },
    "archivalist.store": {
      input: { title: "Prices are in cents", category: "decision", kind: "fact" },
      gives: { entry: having({ session, category: "decision", kind: "fact", source: "heron" }) },
    },
    "archivalist.promote_to_global": {
      input: { entry_id: run, reason: "all should know" },
      gives: { entry: having({ id: run, promoted: having({ reason: "all should know", by: "heron" }) }) },
    },
    "archivalist.query": { input: { query: "discount" }, gives: { entries: some({ id: run }) } },
    "archivalist.cross_session_query": {
      input: { query: "discount zanzibar" },
      gives: { entries: some({ id: run, session, score: expect.any(Number) as number }) },
    },
    "archivalist.workflow_history": { input: {}, gives: { entries: some({ id: run, status: "unverified" }) } },
    "archivalist.session_timeline": { input: { session_id: session }, gives: { session, items: some({ id: run }) } },
    "archivalist.failure_search": { input: { query: "discount" }, gives: { entries: some({ id: run }) } },
    "archivalist.pattern_search": {
      input: { query: "zanzibar" },
      gives: { entries: [], about: having({ method: "bm25" }) },
    },
    "archivalist.decision_search": { input: { query: "cents" }, gives: { entries: some({ category: "decision" }) } },
    "archivalist.token_savings": {
      input: {},
      gives: { formula: text("avoided + context - serving"), total: having({ cacheHits: 0 }) },
    },
    "archivalist.briefing": {
      input: { tier: "micro" },
      gives: { tier: "micro", text: text("Latest work:"), warnings: [] },
    },
  };
}
