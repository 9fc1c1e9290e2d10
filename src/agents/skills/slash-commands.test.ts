import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { RoleName } from "../../contract/index.ts";
import { runCommandSkill } from "./run-command-skill.ts";
import { createSlashCommands, type Phase, type SlashCommand } from "./slash-commands.ts";
import { parseSlashLine } from "./slash-line.ts";
import { session, signal, switchboard } from "./testkit.ts";

const echo = (name: string, agent: RoleName): SlashCommand => ({
  name,
  agent,
  summary: `${agent}'s ${name}`,
  run: async (line, call) => ({ by: agent, session: call.session, ...line }),
});
const commands = createSlashCommands([
  echo("plan", "architect"),
  echo("status", "architect"),
  echo("analyze", "inspector"),
  echo("plan", "tester"),
  echo("analyze", "tester"),
]);

describe("the skill run_command", () => {
  const home = session("home");
  const desk = switchboard().seat(home, "architect", {
    own: [runCommandSkill(commands, () => ({ phase: "planning" }))],
  });
  const run = (input: object) => desk.call("run_command", input, { signal });

  it("runs a slash command with its arguments and options, written out or given apart", async () => {
    const asked = {
      by: "architect",
      session: home,
      name: "plan",
      args: ["add", "a cart"],
      options: { depth: "2", dry: true },
    };
    expect(await run({ command: '/plan add "a cart" --depth 2 --dry' })).toEqual(asked);
    expect(await run({ command: "plan", args: ["add", "a cart"], options: { depth: "2", dry: true } })).toEqual(asked);
    expect(await desk.call("slash.run", { command: "/status" }, { signal })).toMatchObject({ name: "status" });
  });

  it("refuses an unknown command with the known ones, the nearest first, and input that is none", async () => {
    await expect(run({ command: "/analyse" })).rejects.toMatchObject({
      code: "input.invalid",
      message: "there is no command /analyse; did you mean /analyze? Known: /analyze, /plan, /status",
      details: { known: ["analyze", "plan", "status"] },
    });
    await expect(run({ command: "/zebra" })).rejects.toThrow(
      "there is no command /zebra; known: /plan, /status, /analyze",
    );
    await expect(run({ args: ["x"] })).rejects.toThrow("command: ");
    await expect(run({ command: '/plan "open' })).rejects.toThrow("the quote at 7 is not closed");
  });
});

describe("a name that two agents have", () => {
  const whose = (name: string, addressed?: RoleName, phase?: Phase) => {
    const meant = commands.resolve(name, { addressed, phase });
    return "kind" in meant ? meant : meant.agent;
  };

  it("means the addressed agent, then the one of the session's phase, then the user is asked", () => {
    expect(whose("plan", "tester", "planning")).toBe("tester");
    expect(whose("plan", undefined, "planning")).toBe("architect");
    expect(whose("plan", undefined, "testing")).toBe("tester");
    expect(whose("analyze", undefined, "inspection")).toBe("inspector");
    expect(whose("analyze", "librarian", "testing"), "an addressed agent without it decides nothing").toBe("tester");
    expect(whose("plan", undefined, "inspection")).toEqual({
      kind: "question",
      question: "/plan is a command of architect and tester: whom do you mean?",
      options: [
        { agent: "architect", summary: "architect's plan", write: "@to:architect /plan" },
        { agent: "tester", summary: "tester's plan", write: "@to:tester /plan" },
      ],
    });
    expect(whose("status", "tester", "testing"), "one agent's own needs no deciding").toBe("architect");
  });

  it("is answered with that question where it is run, and no agent runs it", async () => {
    let ran = 0;
    const counted = createSlashCommands(
      (["architect", "tester"] as const).map((agent) => ({ ...echo("plan", agent), run: async () => ++ran })),
    );
    const call = { session: session("home"), agent: "guide", signal } as const;
    expect(await counted.run("/plan it", {}, call)).toMatchObject({ kind: "question" });
    expect(ran).toBe(0);
    expect(await counted.run("/plan it", { addressed: "tester" }, call)).toBe(1);
  });

  it("cannot be one agent's twice", () => {
    expect(() => createSlashCommands([echo("plan", "tester"), echo("plan", "tester")])).toThrow("/plan twice");
  });
});

it("reads back every line it could have been given", () => {
  const word = fc.string({ unit: "grapheme", maxLength: 12 });
  const name = fc.stringMatching(/^[a-z][a-z0-9-]{0,8}$/);
  const quote = (text: string): string => `"${text.replaceAll(/["\\]/g, (sign) => `\\${sign}`)}"`;
  fc.assert(
    fc.property(
      name,
      fc.array(word),
      fc.dictionary(name, word, { noNullPrototype: true }),
      (command, args, options) => {
        const flags = Object.entries(options).map(([flag, value]) => `--${flag} ${quote(value)}`);
        const line = `/${command} ${[...args.map(quote), ...flags].join(" ")}`;
        expect(parseSlashLine(line)).toEqual({ name: command, args, options });
      },
    ),
  );
});

it.each([
  ["/plan a --x=1=2 --y -- --z b", { args: ["a", "--z", "b"], options: { x: "1=2", y: true } }],
  ['/plan --note "--quoted" end', { args: ["end"], options: { note: "--quoted" } }],
  ["/PLAN   x", { name: "plan", args: ["x"] }],
])("reads %j", (line, parts) => {
  expect(parseSlashLine(line)).toMatchObject(parts);
});

it.each(["", "plan", "/", "/ plan", '"/plan"x y', "/plän"])("refuses %j as no command", (line) => {
  expect(() => parseSlashLine(line)).toThrow(/is not a slash command/);
});
