/** Wrong usages and their answers: each names what was typed and what to type. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openScratchDaemon, type ScratchDaemon } from "./scratch-daemon.ts";

let daemon: ScratchDaemon;
beforeAll(async () => {
  daemon = await openScratchDaemon();
  await daemon.register("heron");
});
afterAll(() => daemon[Symbol.asyncDispose]());

type Row = readonly [typed: readonly string[], answer: string, way: string];

/** What was typed, how the answer begins, and what it says to type. */
const usages: readonly Row[] = [
  [["reserve", "a.ts", "--ttl", "0"], "--ttl 0: must be at least 1 s", "For example: sylk reserve"],
  [
    ["reserve", "a.ts", "--ttl", "soon"],
    "--ttl soon: must be a time such as 30s, 5m or 1h",
    "For example: sylk reserve",
  ],
  [["reserve", "a.ts", "--ttl", "2h"], "--ttl 2h: must be at most 30 min", "For example: sylk reserve"],
  [["reserve"], "<paths> is missing", "For example: sylk reserve"],
  [["reserve", "a.ts", "--ttl"], "--ttl needs a value: --ttl <time>", "For example: sylk reserve"],
  [["reserve", "../outside.ts"], '"../outside.ts" is not a file inside', "name a file or a glob below it"],
  [["work", "list", "--limit", "0"], "--limit 0: must be at least 1", "For example: sylk work list"],
  [["work", "list", "--limit", "many"], "--limit many: must be a whole number", "For example: sylk work list"],
  [["work", "list", "--limit", "501"], "--limit 501: must be at most 500", "For example: sylk work list"],
  [["work", "list", "--status", "opne"], "--status opne: must be one of open, in_progress", "did you mean open?"],
  [["work", "add"], "<title> is missing", "For example: sylk work add"],
  [["work", "add", ""], "<title>: must not be empty", "For example: sylk work add"],
  [["work", "add", "Tidy", "orders"], '"orders" is one word too many', "put words with spaces in quotes"],
  [["work", "add", "x", "--priority", "9"], "--priority 9: must be at most 4", "For example: sylk work add"],
  [["work", "show", "bd_x"], '<id> "bd_x": no work item here has an id with this part', '"sylk work list" lists them'],
  [["who", "--limt", "3"], '--limt: "sylk who" has no such flag', "did you mean --limit?"],
  [["who", "--dir", ".."], '--dir: "sylk who" has no such flag', "did you mean --folder?"],
  [["who", "-C"], "--folder needs a value: --folder <folder>", "For example: sylk who"],
  [["-C"], "-C needs a folder after it", "sylk -C ../shop who"],
  [["finding", "mark", "nope", "fixd"], '<id> "nope": no finding here', '"sylk finding list" lists them'],
  [["finding", "add", "x", "--severity", "bad"], "--severity bad: must be one of", "blocking"],
  [
    ["events", "--type", "NOT/A TYPE"],
    '--type "NOT/A TYPE": an event type, where * matches',
    "For example: sylk events",
  ],
  [
    ["provider", "add", "Not A Name", "--kind", "openai", "--model", "m"],
    '<name> "Not A Name": a name is',
    "For example: sylk provider add",
  ],
  [
    ["provider", "add", "x", "--kind", "opnai", "--model", "m"],
    "--kind opnai: must be one of anthropic, openai",
    "did you mean openai?",
  ],
  [["provider", "add", "x", "--kind", "openai"], "--model is missing", "For example: sylk provider add"],
  [["ask", "x", "--timeout", "0"], "--timeout 0: must be at least", "For example: sylk ask"],
  [["config", "set", "guard.polcy", "strict"], 'unknown setting "guard.polcy"', "did you mean guard.policy?"],
  [["config", "set", "http.port", "many"], "http.port must be a whole number from 0 to 65535", 'not "many"'],
  [["config", "set", "http.port", "1", "--project"], "http.port is a setting of the daemon", "use --user"],
  [["session", "swich"], 'There is no command "session swich"', 'did you mean "sylk session switch"?'],
  [["session", "rm"], 'There is no command "session rm"', 'did you mean "sylk session close"?'],
  [["wrok", "list"], 'There is no command "wrok"', 'did you mean "sylk work list"?'],
  [["frobnicate"], 'There is no command "frobnicate"', '"sylk help --all" lists the commands'],
  [["ls"], 'There is no command "ls"', 'did you mean "sylk who"?'],
  [["ps"], 'There is no command "ps"', 'did you mean "sylk who"?'],
  [["rm"], 'There is no command "rm"', 'did you mean "sylk discard"?'],
  [["kill"], 'There is no command "kill"', 'did you mean "sylk cancel"?'],
  [["lock", "a.ts"], 'There is no command "lock"', 'did you mean "sylk reserve"?'],
  [["unlock"], 'There is no command "unlock"', 'did you mean "sylk free"?'],
  [["login"], 'There is no command "login"', 'did you mean "sylk provider add"?'],
  [["init"], 'There is no command "init"', 'did you mean "sylk install"?'],
  [["start"], 'There is no command "start"', 'did you mean "sylk up"?'],
  [["stop"], 'There is no command "stop"', 'did you mean "sylk down"?'],
];

describe("a wrong usage", () => {
  it.each(usages)("%j: %s … %s [CORE-29, CORE-31]", async (typed, answer, way) => {
    const { code, stdout, stderr } = await daemon.sylk(typed, { env: { SYLK_AGENT: "heron" } });
    expect([code, stdout]).toEqual([2, ""]);
    const said = stderr.replaceAll(/\s+/g, " ");
    expect(said).toContain(answer);
    expect(said).toContain(way);
    expect(said, "no field of a schema").not.toMatch(/\b(ttlMs|waitMs|timeoutMs|baseUrl|keyVariable)\b/);
    expect(said, "no name of an operation").not.toMatch(/\b(work-item|reservation|finding|provider)\.[a-z]+: /);
  });

  it("is answered as over every other way in where a program asks", async () => {
    const { code, stdout } = await daemon.sylk(["work", "list", "--limit", "0", "--json"]);
    expect([code, JSON.parse(stdout)]).toMatchObject([
      2,
      { error: { code: "input.invalid", message: expect.stringMatching(/^work-item\.list: limit/) } },
    ]);
  });
});
