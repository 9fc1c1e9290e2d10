/**
 * A real session of Claude Code, where the user has it, on a scripted model: its Bash tool under the shell prefix. It is no
 * dependency of ours; without it these rows are skipped.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { Scenario } from "../../src/adapters/models/rehearsal/scenario.ts";
import { startScriptedServer } from "../../src/adapters/models/rehearsal/scripted-server.ts";
import { openScratchDaemon } from "../flows/scratch-daemon.ts";
import { within } from "../flows/until.ts";
import { claude, found, noClaude, startClaude } from "./real-claude.ts";

const held = "src/checkout.ts";

it.for(["bash", "zsh"])(
  "keeps another agent's file read-only for commands in %s, and tells the model whose it is",
  async (shell, { skip }) => {
    skip(claude === "", noClaude);
    skip(found(shell) === "", `${shell} is not on the PATH`);
    await using daemon = await openScratchDaemon();
    const { client: heron } = await daemon.register("heron");
    await heron.call("reservation.acquire", { paths: [held] });
    // Neither the command nor the script names the file that it writes.
    const hidden = Buffer.from(`open("${held}", "w").write("spoilt")`).toString("hex");
    writeFileSync(join(daemon.repository, "spoil.py"), `exec(bytes.fromhex("${hidden}"))\n`);
    const bash = (command: string) => ({ tool: "Bash", input: { command, description: "x" } });
    const when = (turn: number) => ({ turn, tool: "Bash" });
    const turns = [
      { when: when(0), reply: [bash("python3 spoil.py")] },
      {
        when: when(1),
        expect: { toolResult: "Read-only file system" },
        reply: [bash("cd src && echo fine > 'li mit.ts'; pwd; exit 3")],
      },
      {
        when: when(2),
        expect: { toolResult: "/src" },
        reply: [bash("pwd; echo $SYLK_CONFINED | cut -c1-4 > ../mark; seq 200000 | tail -1")],
      },
      { when: when(3), expect: { toolResult: "200000" }, reply: [{ text: "Done" }] },
      { reply: [{ text: "Nothing more" }] },
    ];
    await using server = await startScriptedServer({ scenario: Scenario.parse({ name: "claude", turns }) });
    expect(await daemon.sylk(["install", "claude-code", "--yes"])).toMatchObject({ code: 0 });
    const { ended } = startClaude(daemon, server, { SHELL: found(shell) });
    const { stdout, stderr } = await within("the session ends", ended, { withinMs: 100_000 });
    const output = stdout + stderr;
    expect(readFileSync(join(daemon.repository, held), "utf8"), output).toBe("export const total = 0;\n");
    expect(output).toContain("Done");
    const transcripts = join(daemon.env["HOME"]!, ".claude", "projects");
    const rows = readdirSync(transcripts, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".jsonl"))
      .map((name) => readFileSync(join(transcripts, name), "utf8"))
      .join("");
    expect(rows).toMatch(/What other agents hold is read-only for your commands: .*is held by heron/);
    expect(readFileSync(join(daemon.repository, "src", "li mit.ts"), "utf8")).toBe("fine\n");
  },
);
