import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import type { Caller } from "../../contract/index.ts";
import { hashRow, storedValue } from "./chain.ts";
import { actorOf } from "./index.ts";
import { listAudit, verifyAudit } from "./list-audit.ts";
import { plainAct, scratchAudit, type ScratchAudit } from "./testkit.ts";

const cutFrom = (sequence: number, at: ScratchAudit): void =>
  at.spoil((connection) => void connection.prepare("DELETE FROM audit WHERE sequence >= ?").run(sequence));

const another = { subject: "run_0000000000000000000002" };

describe("an act", () => {
  it("is recorded with its change or not at all", async () => {
    using at = await scratchAudit();
    const failing = at.store.transact("x", async (tx) => {
      await tx.audit.append(plainAct);
      throw new Error("planted");
    });
    await expect(failing).rejects.toThrow("planted");
    expect([await at.store.reader.audit.end(), existsSync(at.headFile)]).toEqual([undefined, false]);
    await at.act({});
    expect(await at.store.reader.audit.end()).toMatchObject({ sequence: 1 });
  });

  it("cannot be changed or removed by a statement of ours", async () => {
    using at = await scratchAudit();
    await at.act({});
    const connection = new Database(at.file);
    expect(() => connection.exec("UPDATE audit SET subject = 'another'")).toThrow("only ever appended to");
    expect(() => connection.exec("DELETE FROM audit")).toThrow("only ever appended to");
    connection.close();
  });

  it("says whether the user or an agent did it", () => {
    const project = { id: "prj_0000000000000000000001", name: "shop", path: "/srv/shop/.git" };
    const agent = { id: "agt_0000000000000000000001", name: "heron", client: "other" };
    expect(actorOf({ kind: "user", project: undefined })).toEqual({ kind: "user" });
    const asAgent = { kind: "agent", agent, project, tree: "/srv/shop" } as Caller;
    expect(actorOf(asAgent)).toEqual({ kind: "agent", id: agent.id, name: "heron" });
  });
});

describe("the list", () => {
  it("gives pages, newest first, by action, by noun and by time", async () => {
    using at = await scratchAudit();
    await at.act({ action: "run.merged" }, { action: "run.discarded" });
    at.clock.advance(1_000);
    const since = at.clock.now();
    await at.act({ action: "running.late" }, { action: "run.merged", details: { a: 1 } });
    const list = async (query: { action?: string; since?: number; cursor?: string; limit?: number }) => {
      const { items, nextCursor } = await listAudit({ limit: 100, ...query }, at.store.reader.audit);
      return [items.map(({ sequence }) => sequence), nextCursor];
    };
    expect(await list({})).toEqual([[4, 3, 2, 1], undefined]);
    expect(await list({ action: "run.merged" })).toEqual([[4, 1], undefined]);
    expect(await list({ action: "run" })).toEqual([[4, 2, 1], undefined]);
    expect(await list({ since })).toEqual([[4, 3], undefined]);
    expect(await list({ limit: 3 })).toEqual([[4, 3, 2], "2"]);
    expect(await list({ limit: 3, cursor: "2" })).toEqual([[1], undefined]);
    await expect(list({ cursor: "x" })).rejects.toMatchObject({ code: "input.invalid" });
  });

  it("still shows a row that was tampered with", async () => {
    using at = await scratchAudit();
    await at.act({});
    at.spoil((connection) => void connection.exec("UPDATE audit SET details = '{', actor = 'x'"));
    const { items } = await listAudit({ limit: 5 }, at.store.reader.audit);
    expect(items).toMatchObject([{ sequence: 1, details: { unreadable: true }, subject: plainAct.subject }]);
  });
});

describe("the head file", () => {
  it("is readable by the user alone and follows every act", async () => {
    using at = await scratchAudit();
    await at.act({}, {});
    expect(statSync(at.headFile).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readFileSync(at.headFile, "utf8"))).toEqual(await at.store.reader.audit.end());
  });

  it("that is older than the rows is usual after a crash, and brought up to date by the next start", async () => {
    using at = await scratchAudit();
    await at.act({});
    const older = readFileSync(at.headFile);
    await at.act({}, {});
    writeFileSync(at.headFile, older);
    expect(await at.verify()).toMatchObject({ intact: true, head: "older", entries: 3 });
    await at.restart();
    expect([at.said, (await at.verify()).head]).toEqual([[], "matches"]);
  });

  it("that is gone is reported, and the next start records that it was made anew", async () => {
    using at = await scratchAudit();
    await at.act({}, {});
    rmSync(at.headFile);
    expect(await at.verify()).toMatchObject({ intact: false, head: "missing", problem: { sequence: 3 } });
    await at.restart();
    expect(at.said).toEqual(["rebuilt"]);
    expect(await at.verify()).toMatchObject({ intact: true, entries: 3, head: "matches" });
    const { items } = await listAudit({ limit: 1 }, at.store.reader.audit);
    expect(items).toMatchObject([
      { action: "audit.head-rebuilt", actor: { kind: "daemon" }, details: { found: "missing" } },
    ]);
  });

  it.each(["", "{}", '{"sequence":1,"hash":"x"}\n', "\u0000".repeat(90)])(
    "that holds %j is unreadable, not believed",
    async (content) => {
      using at = await scratchAudit();
      await at.act({});
      writeFileSync(at.headFile, content);
      expect(await at.verify()).toMatchObject({ intact: false, head: "unreadable" });
      await at.restart();
      expect([at.said, (await at.verify()).intact]).toEqual([["rebuilt"], true]);
    },
  );

  it("ahead of the rows stays as evidence over starts and new acts, until a person takes it away", async () => {
    using at = await scratchAudit();
    await at.act({}, {}, {});
    const evidence = readFileSync(at.headFile, "utf8");
    cutFrom(2, at);
    const ahead = { head: "ahead", problem: { sequence: 2, what: "rows 2 to 3 were removed" } };
    expect(await at.verify()).toMatchObject({ intact: false, ...ahead });
    await at.restart();
    await at.act(another, another, another);
    expect(await at.verify()).toMatchObject({ intact: false, head: "differs", problem: { sequence: 3 } });
    await at.restart();
    expect([at.said, readFileSync(at.headFile, "utf8")]).toEqual([["broken", "broken"], evidence]);
    rmSync(at.headFile);
    await at.restart();
    expect(await at.verify()).toMatchObject({ intact: true, entries: 5 });
  });

  it("that cannot be written is reported and stops no act", async () => {
    using at = await scratchAudit();
    await at.act({});
    rmSync(at.headFile);
    mkdirSync(at.headFile);
    await at.act({});
    expect([at.said, (await at.store.reader.audit.end())?.sequence]).toEqual([["unwritten"], 2]);
  });

  it("is not written over when rows go while the daemon runs", async () => {
    using at = await scratchAudit();
    await at.act({}, {}, {});
    cutFrom(3, at);
    await at.act(another);
    expect([at.said, (await at.verify()).head]).toEqual([["broken"], "differs"]);
    await at.act({});
    expect(at.said, "said once").toEqual(["broken"]);
  });
});

describe("verifying", () => {
  it("of an empty audit finds nothing wrong", async () => {
    using at = await scratchAudit();
    expect(await at.verify()).toEqual({ intact: true, entries: 0, lastHash: null, head: "matches" });
  });

  it("finds a row that was written anew with a right hash of its own, by the row after it", async () => {
    using at = await scratchAudit();
    await at.act({}, {}, {});
    const [, second] = await at.store.reader.audit.rows(undefined, 2);
    const forged = { ...second!, subject: storedValue("another") };
    at.spoil((connection) =>
      connection.prepare("UPDATE audit SET subject = 'another', hash = ? WHERE sequence = 2").run(hashRow(forged)),
    );
    const what = "row 3 does not follow the row before it";
    expect(await at.verify()).toMatchObject({ intact: false, entries: 2, problem: { sequence: 3, what } });
  });

  it.each([0, -7])("finds a row that was put in front of all others, as number %d", async (sequence) => {
    using at = await scratchAudit();
    await at.act({}, {});
    at.spoil((connection) =>
      connection
        .prepare(
          "INSERT INTO audit SELECT ?, at, actor, action, subject, project, details, previous, hash FROM audit WHERE sequence = 1",
        )
        .run(sequence),
    );
    expect(await at.verify()).toMatchObject({ intact: false, entries: 0, problem: { sequence: 1 } });
  });

  it("continues beyond one page of rows", async () => {
    using at = await scratchAudit();
    await at.act(...Array.from({ length: 1_203 }, (_, index) => ({ details: { index } })));
    expect(await at.verify()).toMatchObject({ intact: true, entries: 1_203, head: "matches" });
    at.spoil((connection) => void connection.exec("UPDATE audit SET details = '{}' WHERE sequence = 1100"));
    expect(await at.verify()).toMatchObject({ intact: false, entries: 1_099, problem: { sequence: 1_100 } });
  });

  it("checks a copy of the store too, and refuses what is none", async () => {
    using at = await scratchAudit();
    await at.act({}, {});
    at.spoil((connection) => void connection.pragma("wal_checkpoint(TRUNCATE)"));
    const copy = `${at.file}.copy`;
    copyFileSync(at.file, copy);
    await at.act({});
    const verifyFile = (file: string) => verifyAudit({ file }, { audit: at.store.reader.audit, headFile: at.headFile });
    expect(await verifyFile(copy)).toMatchObject({ intact: true, entries: 2, head: "not-compared" });
    for (const none of [at.headFile, `${at.file}.none`])
      await expect(verifyFile(none)).rejects.toMatchObject({ code: "input.invalid" });
  });
});
