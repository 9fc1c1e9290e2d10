/** The Academic behind the Guide: questions, slash commands, skills, tools, discovery; and a model that invents. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { OutputOf, ResearchAnswer } from "../../src/contract/index.ts";
import { jsonOf } from "./run-sylk.ts";
import { openScratchDaemon, type ScratchAgent, type ScratchDaemon } from "./scratch-daemon.ts";
import { openScratchHome, writeTree } from "./scratch-home.ts";
import { until } from "./until.ts";

const question = "how long does a lease live after a restart?";
const handbook = {
  "handbook/leases.md": [
    "# Leases",
    "",
    "After a restart every live lease gets 300 seconds.",
    "Fencing tokens from Zurich do not expire.",
    "Leases came to the handbook on 3 May 2019.",
    "A lease design needs a clock; the best approach to caching leases is a monotonic clock.",
    "",
    "```ts",
    "const lease = acquire({ ttlMs: 300_000 });",
    "```",
    "",
  ].join("\n"),
  "handbook/locks.md": "# Locks\n\nA lock stays until its holder frees it.\n",
  "handbook/rfc9999.txt": [
    "Internet Engineering Task Force (IETF)                        A. Example",
    "Request for Comments: 9999                                    March 2024",
    "",
    "                   A Protocol for Leases",
    "",
    "Abstract",
    "",
    "   This document specifies leases.",
    "",
    "1.  Introduction",
    "",
    "   A server MUST end an expired lease.",
    "",
    "Example                      Standards Track                    [Page 1]",
    "",
    "RFC 9999                Protocol for Leases                   March 2024",
    "",
    "2.  Renewal",
    "",
    "   A client renews a lease before it expires.",
    "",
  ].join("\n"),
};
let daemon: ScratchDaemon;
let heron: ScratchAgent;

beforeAll(async () => {
  daemon = await openScratchDaemon({ env: { SYLK_KNOWLEDGE_VECTORS: "hashing" } });
  heron = await daemon.register("heron");
  writeTree(daemon.repository, handbook);
  await heron.client.call("research.add", { location: "handbook" });
  await heron.client.call("research.add", { location: "handbook/rfc9999.txt" });
});
afterAll(() => daemon[Symbol.asyncDispose]());

const ask = (input: string, more: object = {}): Promise<OutputOf<"ask.send">> =>
  heron.client.call("ask.send", { input, project: { path: daemon.repository }, ...more });
const skill = async (name: string, input: object) =>
  (await heron.client.call("skill.call", { name, role: "academic", input: { ...input } })).result as Record<
    string,
    never
  >;

describe("behind the Guide", () => {
  it("the Academic answers in every session and is registered as shared, with what it is asked for [ACA-13, GUIDE-9]", async () => {
    const other = await heron.client.call("session.create", { name: "other" });
    await heron.client.call("session.resume", { id: other.session.id });
    for (const session of [undefined, other.session.id]) {
      const sent = await ask(`@to:academic ${question}`, session === undefined ? {} : { session });
      expect(sent).toMatchObject({
        to: "academic",
        by: "tag",
        answer: { text: expect.stringContaining("quoted: “After a restart") },
      });
    }
    const agents = (await daemon.user.call("ask.metrics", { session: other.session.id })).session!.agents;
    expect(agents.find(({ name }) => name === "academic")).toMatchObject({ name: "academic", shared: true });
  });

  it("questions are heard at academic.requests and answered at academic.responses, in every session [ACA-11, ACA-12]", async () => {
    for (const name of ["one", "two"]) {
      const { id } = jsonOf<OutputOf<"session.create">>(await daemon.sylk(["session", "new", name, "--json"])).session;
      await daemon.sylk(["session", "resume", id]);
      expect((await daemon.sylk(["ask", `@to:academic ${question}`, "--session", id])).code).toBe(0);
      const { items } = jsonOf<OutputOf<"session.messages">>(await daemon.sylk(["session", "messages", id, "--json"]));
      expect(items.map(({ topic, from, to, type }) => `${topic} ${from} ${to} ${type}`)).toEqual([
        "academic.requests user academic USER_INPUT",
        "academic.responses academic user USER_RESPONSE",
      ]);
    }
  });

  it('"How would I design" and "What\'s the best approach" are for the Academic [ACA-16]', async () => {
    for (const text of ["How would I design a lease?", "What's the best approach to caching leases?"])
      expect(await ask(text)).toMatchObject({ to: "academic", by: "rules", intent: "recall" });
    const shown = await daemon.sylk(["ask", "--explain", "how should we design discounts?"]);
    expect(shown.stdout).toContain("architect would be asked");
  });

  it("a tag with the intent check verifies a claim; recall and the domains patterns, decisions and learnings research [ACA-14, ACA-15]", async () => {
    expect((await ask("@academic:check After a restart every live lease gets 300 seconds")).answer.text).toMatch(
      /^supported: /,
    );
    expect((await ask("@academic:check After a restart every live lease gets 400 seconds")).answer.text).toMatch(
      /^unsupported: /,
    );
    for (const domain of ["patterns", "decisions", "learnings"])
      expect(await ask(`@academic:recall:${domain} ${question}`)).toMatchObject({
        to: "academic",
        domain,
        intent: "recall",
      });
    for (const domain of ["patterns", "decisions", "learnings"]) {
      const untagged = `How would I design a lease after these ${domain}?`;
      const explained = await daemon.sylk(["ask", "--explain", untagged, "--json"]);
      const { candidates } = jsonOf<OutputOf<"ask.routes">>(explained);
      expect(candidates.find(({ name }) => name === "academic")?.because).toContain(`domain ${domain} +10`);
    }
  });

  it("slash commands research, compare, ingest, cite and list sources; an unknown one names them [SLASH-2]", async () => {
    expect((await ask(`/research ${question}`)).answer.text).toContain(
      "After a restart every live lease gets 300 seconds",
    );
    expect((await ask("/compare leases vs locks")).answer.text).toContain("A lock stays until its holder frees it");
    writeFileSync(join(daemon.repository, "more.md"), "# More\n\nMore leases are kept here for tests.\n");
    expect((await ask("/ingest more.md")).answer.text).toContain("More: 1 documents read");
    expect((await ask("/cite A lock stays until its holder frees it")).answer.text).toContain("locks.md:1-3");
    expect((await ask("/sources")).answer.text).toContain("rfc  RFC 9999");
    const unknown = await daemon.sylk(["ask", "@to:academic /explore"]);
    expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining("/research")]);
  });
});

describe("its skills and tools", () => {
  it("vectors, made when a source is added, find what words do not, and the answer names their method [ACA-6, ACA-20]", async () => {
    const asked = { question: "compressibility of snapshots", fresh: true };
    writeTree(daemon.repository, {
      "copies.md": "# Compressing\n\nA compressed image is smaller by half.\n",
    });
    const before = await heron.client.call("research.ask", asked);
    const { source } = await heron.client.call("research.add", { location: "copies.md" });
    const after = await heron.client.call("research.ask", asked);
    expect([before.outcome, after.outcome, after.search]).toEqual([
      "no-source",
      "answered",
      "bm25 and hashing vectors",
    ]);
    expect(after.claims).toMatchObject([{ kind: "quoted", text: "“A compressed image is smaller by half.”" }]);
    expect(await heron.client.call("research.ask", { question: "who feeds the penguins?" })).toMatchObject({
      outcome: "no-source",
    });
    await heron.client.call("research.remove", { id: source.id });
    await using words = await openScratchDaemon();
    writeTree(words.repository, {
      "copies.md": "# Compressing\n\nA compressed image is smaller by half.\n",
    });
    const otter = await words.register("otter");
    await otter.client.call("research.add", { location: "copies.md" });
    expect(await otter.client.call("research.ask", asked)).toMatchObject({ outcome: "no-source", search: "bm25" });
  });

  it("compare, find RFCs by section, write papers of fixed structure and find files [ACA-4, ACA-7]", async () => {
    expect(await skill("compare_approaches", { topic: "lifetime", approaches: ["locks", "penguins"] })).toMatchObject({
      approaches: [
        { name: "locks", outcome: "answered", claims: [{ kind: "quoted" }] },
        { name: "penguins", outcome: "no-source", claims: [], confidence: 0 },
      ],
    });
    expect(await skill("find_rfc", { topic: "client renews a lease" })).toMatchObject({
      sections: [{ kind: "rfc", title: "RFC 9999: A Protocol for Leases", heading: "2.  Renewal", quality: 0.9 }],
    });
    const paper = (await skill("generate_paper", {
      topic: "leases",
      depth: "overview",
    })) as unknown as OutputOf<"research.paper">;
    expect(paper.sections.map(({ heading }) => heading)).toEqual(["Summary", "Background", "Findings", "Limits"]);
    expect(paper.text).toMatch(
      /^# leases\n\nDepth: overview\. Confidence: 0\.\d\d\.\n\n## Summary\n[\s\S]*## Sources\n\n- \[1\]/,
    );
    for (const { claims } of paper.sections)
      for (const { kind, citation } of claims)
        expect([kind, paper.citations.some(({ number }) => number === citation)]).toEqual(["quoted", true]);
    expect(await skill("find_files", { path: ".", name: "locks.md" })).toMatchObject({ files: ["handbook/locks.md"] });
  });

  it('"X vs Y" loads compare_approaches, and another text does not [SKILL-12]', async () => {
    const loadedBy = async (text: string) => {
      const { items } = await heron.client.call("skill.list", { role: "academic", for: text });
      return items.find(({ name }) => name === "compare_approaches");
    };
    expect(await loadedBy("leases vs locks")).toMatchObject({
      domain: "research",
      keywords: expect.arrayContaining(["vs", "versus", "compare"]),
      loaded: { by: "keywords", matched: ["vs"] },
    });
    expect((await loadedBy("how long is a lease kept?"))?.loaded).toBeUndefined();
  });
});

describe("what was researched", () => {
  it("is kept by the Archivalist, found before the next research, and made anew when sources change [ACA-10, ACA-17, ACA-18, ACA-23]", async () => {
    const fresh = { question: "when does a lock end?", fresh: true };
    expect(await heron.client.call("research.ask", fresh)).toMatchObject({ outcome: "answered", cached: false });
    const again = await heron.client.call("research.ask", { ...fresh, fresh: false });
    expect(again).toMatchObject({ outcome: "answered", cached: true });
    const kept = await heron.client.call("history.list", { category: "research", allSessions: true });
    expect(kept.items.some(({ title, source }) => title === fresh.question && source === "academic")).toBe(true);
    writeFileSync(join(daemon.repository, "new.md"), "# New\n\nA lock ends at noon by the new rule.\n");
    await heron.client.call("research.add", { location: "new.md" });
    const anew = await heron.client.call("research.ask", { ...fresh, fresh: false });
    expect([anew.cached, anew.text.includes("noon")]).toEqual([false, true]);
  });
});

describe("a model that invents", () => {
  const rehearse = (text: string): string => {
    const file = join(daemon.root, `inventing-${Math.abs(text.length)}-${text.charCodeAt(0)}.yaml`);
    writeFileSync(
      file,
      JSON.stringify({ name: "inventing", turns: [{ when: { mentions: "Passages:" }, reply: [{ text }] }] }),
    );
    return file;
  };
  const answered = (text: string) =>
    heron.client.call("research.ask", { question, kind: "folder", fresh: true, rehearse: rehearse(text) });

  it("each of its sentences is judged: invented quotes, sources, numbers, names, dates and negations are unsupported [ACA-8, ACA-28]", async () => {
    const answer = await answered(
      [
        "After a restart every live lease gets 300 seconds [1].",
        'The handbook says "After a restart every live lease gets 300 seconds." [1]',
        'It says "Leases live for ever after a restart." [1]',
        "After a restart every live lease gets 900 seconds [1].",
        "Fencing tokens from Geneva do not expire [1].",
        "Fencing tokens from Zurich expire [1].",
        "After a restart every live lease gets 300 seconds [99].",
        "Leases were invented in 1989.",
        "Leases came to the handbook on 4 May 2019 [1].",
      ].join(" "),
    );
    expect(answer).toMatchObject({ method: "model", label: "rehearsal", outcome: "answered" });
    expect(answer.claims.map(({ kind }) => kind)).toEqual([
      "supported",
      "quoted",
      "unsupported",
      "unsupported",
      "unsupported",
      "unsupported",
      "unsupported",
      "unsupported",
      "unsupported",
    ]);
    expect(answer.claims.slice(2).map(({ reason }) => reason)).toEqual([
      expect.stringContaining("does not stand in the cited text"),
      expect.stringContaining("900"),
      expect.stringContaining("Geneva"),
      expect.stringContaining("denies"),
      "there is no source [99]",
      "it names no source",
      expect.stringMatching(/\b4\b/),
    ]);
    expect(answer.confidence).toBeLessThan(0.25);
    expect(answer.text.match(/^unsupported: /gm)).toHaveLength(7);
  });

  it("says no source where the model does, and the command shows every kind", async () => {
    expect(await answered("NO SOURCE")).toMatchObject({ outcome: "no-source", claims: [], confidence: 0 });
    const file = rehearse("Every live lease gets 301 seconds [1].");
    const shown = await daemon.sylk(["research", question, "--rehearse", file, "--fresh"]);
    expect(shown.stdout).toMatch(/unsupported {2}Every live lease gets 301 seconds\. \[1\]\n {2}why: .*301/);
    const json = jsonOf<ResearchAnswer>(
      await daemon.sylk(["research", question, "--rehearse", file, "--fresh", "--json"]),
    );
    expect(json.claims.map(({ kind }) => kind)).toEqual(["unsupported"]);
  });
});

describe("tools by research", () => {
  const discover = (path: string) =>
    heron.client.call("tool.discover", { path, category: "linter", languages: ["python"], refresh: true });
  const notes = (text: string): string => {
    const folder = join(daemon.repository, "python");
    writeTree(folder, { "a.py": "print(1)\n" });
    writeFileSync(join(daemon.repository, "tools.md"), `# Tools\n\n${text}\n`);
    return folder;
  };

  it("Python without tooling gets ruff, because a source recommends it: tier 2, academic_research [TOOL-13, TOOL-83, TOOL-94]", async () => {
    const folder = notes("The recommended linter tools for Python begin with ruff.");
    expect((await discover(folder)).answers).toMatchObject([{ tier: 3, requiresUser: true }]);
    const { source } = await heron.client.call("research.add", { location: "tools.md" });
    expect((await discover(folder)).answers).toMatchObject([
      {
        tier: 2,
        confidence: "medium",
        requiresUser: false,
        options: [],
        tools: [
          {
            name: "ruff",
            language: "python",
            source: "academic_research",
            confidence: "medium",
            rationale: "The recommended linter tools for Python begin with ruff.",
          },
        ],
      },
    ]);
    await heron.client.call("research.remove", { id: source.id });
  });

  it("a look for tools changes nothing: no event of research, no kept answer", async () => {
    const folder = notes("The recommended linter tools for Python begin with ruff.");
    const { source } = await heron.client.call("research.add", { location: "tools.md" });
    const traces = async () => [
      (await daemon.user.call("event.list", { type: "research.answered", limit: 500 })).items.length,
      (await heron.client.call("history.list", { category: "research", allSessions: true })).items.length,
    ];
    const before = await traces();
    expect((await discover(folder)).answers).toMatchObject([{ tier: 2, tools: [{ name: "ruff" }] }]);
    expect(await traces()).toEqual(before);
    await heron.client.call("research.remove", { id: source.id });
  });

  it("research_tools asks for the year's tools, reads recommendations out of the claims, and says whether one is clearly best [TOOL-68, TOOL-69, TOOL-70, TOOL-71]", async () => {
    notes("The recommended linter tools for Python begin with ruff.");
    const { source } = await heron.client.call("research.add", { location: "tools.md" });
    const found = await skill("research_tools", { languages: ["python"], category: "linter" });
    expect(found).toMatchObject({
      question: `What linter tools are recommended for python in ${new Date().getUTCFullYear()}?`,
      satisfactory: true,
      requiresUser: false,
      recommendations: [{ language: "python", tool: "ruff", mentions: 1 }],
    });
    await heron.client.call("research.remove", { id: source.id });
    notes("The recommended linter tools for Python are ruff and pylint.");
    const second = await heron.client.call("research.add", { location: "tools.md" });
    expect(await skill("research_tools", { languages: ["python"], category: "linter" })).toMatchObject({
      satisfactory: false,
      requiresUser: true,
      recommendations: [{ tool: expect.any(String) }, { tool: expect.any(String) }],
    });
    await heron.client.call("research.remove", { id: second.source.id });
  });

  it("several options that are recommended alike are for the user to choose from: tier 3 [TOOL-72, TOOL-73, TOOL-84]", async () => {
    const folder = notes("The recommended linter tools for Python are ruff, pylint and flake8.");
    const { source } = await heron.client.call("research.add", { location: "tools.md" });
    const [answer] = (await discover(folder)).answers;
    expect(answer).toMatchObject({ tier: 3, requiresUser: true, tools: [] });
    expect(answer!.options.length).toBeGreaterThan(1);
    expect(answer!.notes).toContain("no source has a clear recommendation, so you choose");
    const found = (await skill("research_tools", { languages: ["python"], category: "linter" })) as unknown as {
      options: string[];
    };
    expect(found).toMatchObject({ satisfactory: false, requiresUser: true });
    expect(found.options.length).toBeGreaterThan(1);
    expect(found.options[0]).toMatch(/^\w+ \(python\): The recommended linter tools/);
    await heron.client.call("research.remove", { id: source.id });
  });

  it("without settings and without a clear recommendation the user chooses, and the stored choice answers from then on [TOOL-88, TOOL-95]", async () => {
    const folder = notes("The recommended linter tools for Python are ruff, pylint and flake8.");
    const { source } = await heron.client.call("research.add", { location: "tools.md" });
    const { id } = jsonOf<OutputOf<"session.create">>(
      await daemon.sylk(["session", "new", "chooser", "--json"]),
    ).session;
    const look = ["tools", folder, "--category", "linter", "--session", id];
    const answers = async (more: readonly string[] = []) =>
      jsonOf<OutputOf<"tool.discover">>(await daemon.sylk([...look, "--json", ...more])).answers;
    const [asked] = await answers();
    expect(asked).toMatchObject({ tier: 3, requiresUser: true, tools: [] });
    expect(asked!.options.map(({ tool }) => tool)).toEqual(expect.arrayContaining(["ruff", "pylint", "flake8"]));
    const shown = await daemon.sylk(look);
    expect(shown.stdout + shown.stderr).toMatch(
      /linter: ruff, [\s\S]*pylint[\s\S]*choose:\s+sylk\s+session\s+set\s+linter\s+ruff/,
    );
    expect((await daemon.sylk(["session", "set", "linter", "flake8", "--session", id])).code).toBe(0);
    for (const more of [[], ["--refresh"]])
      expect(await answers(more)).toMatchObject([
        {
          requiresUser: false,
          options: [],
          tools: [{ name: "flake8", source: "user_preference", confidence: "high" }],
        },
      ]);
    const kept = async () =>
      (await heron.client.call("history.list", { category: "user_preference", sessions: [id] })).items;
    await until("the choice is kept by the Archivalist", async () => (await kept()).length > 0);
    expect(await kept()).toMatchObject([{ content: { category: "linter", tool: "flake8" } }]);
    await heron.client.call("research.remove", { id: source.id });
  });

  it("without an Academic the user chooses directly after the scan [TOOL-16]", async () => {
    await using home = openScratchHome();
    writeTree(home.repository, { "a.py": "print(1)\n" });
    const { answers } = jsonOf<OutputOf<"tool.discover">>(await home.sylk(["tools", "--category", "linter", "--json"]));
    expect(answers).toMatchObject([{ tier: 3, requiresUser: true, tools: [] }]);
    expect(answers[0]!.notes).toContain("no Academic is here to research tools, so you choose");
    expect((await home.sylk(["status"])).stdout + (await home.sylk(["status"])).stderr).toContain("No daemon");
  });
});
