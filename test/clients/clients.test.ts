/**
 * Real sessions of real clients, on a scripted model and loopback alone. The script goes on only while the tools answer as it
 * expects: a denial that does not reach the model ends it, and then nothing is claimed.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Scenario } from "../../src/adapters/models/rehearsal/scenario.ts";
import { startScriptedServer } from "../../src/adapters/models/rehearsal/scripted-server.ts";
import type { Agent } from "../../src/contract/index.ts";
import { killAndWait } from "../flows/processes.ts";
import type { SylkProcess } from "../flows/run-sylk.ts";
import { openScratchDaemon, type ScratchDaemon } from "../flows/scratch-daemon.ts";
import { until, within } from "../flows/until.ts";
import { whatIsMissing } from "./pinned-clients.ts";
import { codex, gemini, linkSylk, opencode, type RealClient, startClient, type World } from "./real-clients.ts";

const missing = whatIsMissing();
if (missing !== undefined) throw new Error(missing);
const patience = { withinMs: 150_000 };
const held = "src/checkout.ts";

/** `"plugin"`: the folder that we publish, loaded by the client itself, instead of `sylk install`. */
async function open(
  clients: readonly RealClient[],
  turnsFor: (daemon: ScratchDaemon) => Promise<readonly object[]>,
  by: "install" | "plugin" = "install",
) {
  // A published plugin looks its home up where everybody's is.
  const daemon = await openScratchDaemon(by === "plugin" ? { home: "user/.sylk" } : {});
  const turns = [...(await turnsFor(daemon)), { reply: [{ text: "Nothing more" }] }];
  const server = await startScriptedServer({ scenario: Scenario.parse({ name: "clients", turns }) });
  const world: World = { daemon, server };
  const close = async (): Promise<void> => {
    await server.close();
    await daemon[Symbol.asyncDispose]();
  };
  try {
    for (const client of clients) await prepare(client, world, by);
  } catch (error) {
    await close();
    throw error;
  }
  return {
    ...world,
    start: (prompt: string, client = clients[0]!): SylkProcess => startClient(client, world, prompt),
    agents: async (): Promise<readonly Agent[]> => {
      const names: readonly string[] = clients.map(({ name }) => name);
      return (await daemon.user.call("agent.list", {})).items.filter((agent) => names.includes(agent.client));
    },
    [Symbol.asyncDispose]: close,
  };
}

async function prepare(client: RealClient, world: World, by: "install" | "plugin"): Promise<void> {
  client.configure(world);
  const env = { PATH: `${linkSylk(world)}:${process.env["PATH"]}` };
  if (by === "plugin") await client.loadPlugin(world);
  else {
    const { code, stdout } = await world.daemon.sylk(["install", client.name, "--yes"], { env });
    if (code !== 0) throw new Error(stdout);
  }
  await client.trust?.(world);
}

describe.each([codex, gemini, opencode])("$name", (client) => {
  const when = (turn: number) => ({ turn, tool: client.shell("").tool });

  describe.each(["install", "plugin"] as const)("in a whole session, by %s", (by) => {
    let world: Awaited<ReturnType<typeof open>>;
    let item: string;
    let output: string;
    beforeAll(async () => {
      world = await open(
        [client],
        async (daemon) => {
          const { client: heron } = await daemon.register("heron");
          await heron.call("reservation.acquire", { paths: [held] });
          item = (await daemon.user.call("work-item.create", { title: "Rate-limit POST /orders" })).workItem.id;
          const denied = { toolResult: "is held by heron" };
          return [
            { when: when(0), reply: [client.shell(`echo spoilt > ${held}`)] },
            { when: when(1), expect: denied, reply: [client.write(join(daemon.repository, held), "spoilt")] },
            { when: when(2), expect: denied, reply: [client.shell("echo fine > src/limit.ts")] },
            { when: when(3), reply: [{ tool: client.claimTool, input: { id: item } }] },
            { when: when(4), expect: { toolResult: "in_progress" }, reply: [{ text: "Done" }] },
          ];
        },
        by,
      );
      const { stdout, stderr } = await within("the session ends", world.start("Go").ended, patience);
      output = stdout + stderr;
    }, patience.withinMs);
    afterAll(() => world[Symbol.asyncDispose]());

    it("is denied another's file, by the shell and by its own tool, and writes what is free [ADPT-1, ADPT-2]", () => {
      const file = (path: string): string => readFileSync(join(world.daemon.repository, path), "utf8");
      expect(file(held), output).toBe("export const total = 0;\n");
      expect(file("src/limit.ts")).toBe("fine\n");
    });

    it("claims by MCP as the agent that its hooks registered, and gives everything back at its end [ADPT-1]", async () => {
      const { items } = await world.daemon.user.call("event.list", { limit: 1000 });
      const claimed = items.filter(({ type, subject }) => type === "work-item.claimed" && subject === item);
      expect(claimed, output).toHaveLength(1);
      const own = items.filter(
        ({ type, data }) => type === "agent.registered" && JSON.stringify(data).includes(`"client":"${client.name}"`),
      );
      expect(own).toHaveLength(1);
      expect(JSON.stringify(claimed[0]!.data)).toContain(own[0]!.subject);
      expect(await world.agents()).toEqual([]);
      expect((await world.daemon.user.call("reservation.list", {})).items).toMatchObject([{ paths: [held] }]);
    });

    it("went unguarded not once", () => {
      expect(existsSync(join(world.daemon.paths.home, "log", "hook-outcomes.jsonl"))).toBe(false);
    });
  });

  it.each(["SIGTERM", "SIGKILL"] as const)("loses what it holds to another after %s", async (signal) => {
    await using world = await open([client], async () => [
      { when: when(0), reply: [client.shell("echo mine > src/limit.ts")] },
      { when: when(1), reply: [client.shell("sleep 600")] },
    ]);
    const { client: heron } = await world.daemon.register("heron");
    const session = world.start("Go");
    const holds = async () => (await world.daemon.user.call("reservation.list", {})).items.length === 1;
    await until("it holds its file", holds, patience);
    await until("it has written it", () => existsSync(join(world.daemon.repository, "src/limit.ts")), patience);
    const [agent] = await world.agents();
    const { pid } = agent!;
    expect(pid).toBeGreaterThan(1);
    if (signal === "SIGKILL") await killAndWait(pid!);
    else process.kill(pid!, signal);
    const take = () =>
      heron.call("reservation.acquire", { paths: ["src/limit.ts"] }).then(
        () => true,
        () => false,
      );
    await until("heron has it", take, patience);
    await Promise.all([session.ended, killAndWait(session.pid)]);
  });
});

it("keeps another's file read-only for opencode's commands, whose text its permission rules still read [GIT-21]", async () => {
  const shell = (command: string) => opencode.shell(command);
  const when = (turn: number) => ({ turn, tool: "bash" });
  await using world = await open([opencode], async (daemon) => {
    const { client: heron } = await daemon.register("heron");
    await heron.call("reservation.acquire", { paths: [held] });
    // Neither the command nor the script names the file that it writes.
    const hidden = Buffer.from(`open("${held}", "w").write("spoilt")`).toString("hex");
    writeFileSync(join(daemon.repository, "spoil.py"), `exec(bytes.fromhex("${hidden}"))\n`);
    return [
      { when: when(0), reply: [shell("python3 spoil.py")] },
      {
        when: when(1),
        expect: { toolResult: "Read-only file system" },
        reply: [shell("echo denied > src/denied.ts")],
      },
      // The rule names the beginning of the command as the model wrote it.
      {
        when: when(2),
        expect: { toolResult: "prevents you from using this specific tool call" },
        reply: [
          shell("cd src && echo fine > 'li mit.ts'; bash -c 'echo $BASH_ENV$SYLK_SHELL_START' > ../mark; exit 3"),
        ],
      },
      { when: when(3), reply: [{ text: "Done" }] },
    ];
  });
  const config = join(world.daemon.env["HOME"]!, ".config", "opencode", "opencode.json");
  const settings = JSON.parse(readFileSync(config, "utf8")) as object;
  writeFileSync(
    config,
    JSON.stringify({ ...settings, permission: { bash: { "*": "allow", "echo denied*": "deny" } } }),
  );
  const { stdout, stderr } = await within("the session ends", world.start("Go").ended, patience);
  const file = (path: string): string => readFileSync(join(world.daemon.repository, path), "utf8");
  expect(file(held), stdout + stderr).toBe("export const total = 0;\n");
  expect(stdout).toContain("Done");
  expect(existsSync(join(world.daemon.repository, "src/denied.ts"))).toBe(false);
  expect([file("src/li mit.ts"), file("mark")], "what it starts is as it was").toEqual(["fine\n", "\n"]);
  const doctor = await world.daemon.sylk(["doctor"]);
  expect(doctor.stdout).toMatch(/enforced +files of others are read-only for shell commands of opencode \(in bash\)/);
});

it.each([codex, gemini])("hands mail to $name at the end of its turn, once [ADPT-2]", async (client) => {
  await using world = await open([client], async () => [
    { when: { turn: 0 }, reply: [client.shell("echo fine > src/limit.ts; sleep 3")] },
    { when: { turn: 1 }, reply: [{ text: "Done" }] },
    { when: { turn: 2, mentions: ["Please look at the orders"] }, reply: [client.shell("echo read > src/read.ts")] },
  ]);
  const { client: heron } = await world.daemon.register("heron");
  const session = world.start("Go");
  const [agent] = await until("it is here", async () => {
    const found = await world.agents();
    return found.length > 0 && found;
  });
  await heron.call("mail.send", { to: [agent!.name], subject: "Please look at the orders", body: "They are slow" });
  const { stdout } = await within("it ends", session.ended, patience);
  expect(existsSync(join(world.daemon.repository, "src/read.ts")), stdout).toBe(true);
});

it("gives a file that eight sessions of three clients want at once to one of them [RSV-1]", async () => {
  const sessions = [codex, codex, codex, opencode, opencode, opencode, gemini, gemini].map((client, index) => ({
    client,
    // In no file's name: a session is told which files the others hold.
    prompt: `You are runner ${index}`,
    file: `session-${index}.ts`,
  }));
  await using world = await open([codex, opencode, gemini], async ({ root }) => {
    // Each goes on until all have tried, in steps of different names: clients give up what takes long, and what repeats itself.
    const wait = join(root, "wait.sh");
    const tried = `[ "$(ls session-* | wc -l)" -ge ${sessions.length} ]`;
    writeFileSync(wait, `n=0\nuntil ${tried} || [ "$n" -gt 9 ]; do sleep 1; n=$((n + 1)); done\n`);
    return sessions.flatMap(({ client, prompt, file }) => [
      {
        when: { turn: 0, mentions: [prompt], tool: client.shell("").tool },
        reply: [client.shell(`echo ${file} >> raced.ts`)],
      },
      { when: { turn: 1, mentions: [prompt] }, reply: [client.shell(`echo done > ${file}`)] },
      ...Array.from({ length: 25 }, (_, step) => ({
        when: { turn: step + 2, mentions: [prompt] },
        reply: [client.shell(`sh ${wait} ${step}`)],
      })),
    ]);
  });
  // Two first starts of opencode at once both make its database, and one of them fails.
  await within("opencode has its database", world.start("Hello", opencode).ended, { withinMs: 100_000 });
  const runs = sessions.map(({ client, prompt }) => world.start(prompt, client).ended);
  const ended = await within("all end", Promise.all(runs), { withinMs: 380_000 });
  const output = ended.map(({ stdout, stderr }) => stdout + stderr).join("\n");
  const isMissing = ({ file }: { file: string }): boolean => !existsSync(join(world.daemon.repository, file));
  expect(sessions.filter(isMissing), output).toEqual([]);
  expect(readFileSync(join(world.daemon.repository, "raced.ts"), "utf8"), output).toMatch(/^session-\d\.ts\n$/);
});
