import { describe, expect, it } from "vitest";
import type { RoleName } from "../../contract/index.ts";
import { answerMessages } from "../../orchestration/guide/index.ts";
import { messageOf } from "../../orchestration/guide/testkit.ts";
import { defineRole } from "./define-role.ts";
import { runCommand, runCommandSkill } from "./run-command-skill.ts";
import { createSkillDesk } from "./skill-desk.ts";
import { createSlashCommands, type Phase, type SlashCommand } from "./slash-commands.ts";
import { isSlashLine, takingSlashLines, whomFor } from "./slash-requests.ts";
import { session, signal } from "./testkit.ts";

const echo = (name: string, agent: RoleName): SlashCommand => ({
  name,
  agent,
  summary: `${agent}'s ${name}`,
  run: async ({ args }, call) => ({ by: agent, asked: call.agent, args: [...args] }),
});
const commands = createSlashCommands([
  echo("plan", "architect"),
  echo("plan", "tester"),
  echo("issues", "inspector"),
  echo("research", "academic"),
  echo("find", "librarian"),
]);
const takers = ["academic", "architect", "librarian", "inspector", "tester"] as const;
const home = session("home");

it.each(takers)(
  "the %s carries out a slash line by its run_command, and lists the known ones for another",
  async (name) => {
    const role = defineRole({ card: { name }, core: [runCommand], extended: [] });
    const callable = [runCommandSkill(commands, () => ({ addressed: name }))];
    const desk = createSkillDesk({ role, session: home, callable });
    const answer = takingSlashLines(
      async () => expect.unreachable("the line is taken before"),
      (line) => desk.call("run_command", { command: line }, { signal }),
    );
    const asked = (text: string) => answer(messageOf("USER_INPUT", { text }), signal);
    expect(await asked("/research a b")).toEqual({
      type: "USER_RESPONSE",
      payload: {
        text: `by: academic\nasked: ${name}\nargs:\n- a\n- b`,
        data: { by: "academic", asked: name, args: ["a", "b"] },
      },
    });
    await expect(asked("/isues")).rejects.toThrow("did you mean /issues? Known: /issues, /plan, /research, /find");
  },
);

describe("a typed slash line", () => {
  const whom = (text: string, addressed: readonly RoleName[] = [], phase?: Phase) =>
    whomFor({ text, addressed }, { commands, takers, phase });

  it("is for the addressed agent, then for whose phase it is, then a question back", () => {
    expect(whom("/plan it", ["tester"], "planning")).toEqual(["tester"]);
    expect(whom("/plan it", [], "planning")).toEqual(["architect"]);
    expect(whom("/plan it", [], "testing")).toEqual(["tester"]);
    expect(whom("/issues", [], "testing")).toEqual(["inspector"]);
    expect(whom("/issues", ["tester", "architect"])).toEqual(["tester", "architect"]);
    expect(() => whom("/plan it", [], "session")).toThrow(
      expect.objectContaining({
        code: "route.unsure",
        message:
          '/plan is a command of architect and tester: whom do you mean? Write "@to:architect /plan" or "@to:tester /plan"',
      }),
    );
  });

  it("is refused where no agent knows the command, or the addressed agent takes none", () => {
    expect(() => whom("/isues")).toThrow("did you mean /issues?");
    expect(() => whom("/issues", ["archivalist"])).toThrow("the archivalist takes no slash commands; those who do: ");
  });

  it("is told from other text that begins with a slash", () => {
    expect(["/plan", "/plan it", "/PLAN\nit"].map(isSlashLine)).toEqual([true, true, true]);
    expect(["/usr/bin/env fails", "/ plan", "plan /it", "//plan", ""].map(isSlashLine)).not.toContain(true);
  });

  it("is taken as it is in a message of another type, and words are left to the role", async () => {
    const answer = takingSlashLines(
      answerMessages({
        USER_INPUT: async ({ payload }) => ({ type: "USER_RESPONSE", payload: { text: `role: ${payload.text}` } }),
        PLAN_REQUEST: async ({ payload }) => ({
          type: "REROUTE_REQUEST",
          payload: { reason: `role: ${payload.text}` },
        }),
      }),
      async () => ({ text: "said", data: { a: 1 } }),
    );
    const asked = async (type: "PLAN_REQUEST" | "USER_INPUT", text: string) =>
      (await answer(messageOf(type, { text }), signal)).payload;
    expect(await asked("PLAN_REQUEST", "/plan")).toEqual({ reason: "role: /plan" });
    expect(await asked("USER_INPUT", "plan it")).toEqual({ text: "role: plan it" });
    expect(await asked("USER_INPUT", "/plan")).toEqual({ text: "said", data: { a: 1 } });
  });
});
