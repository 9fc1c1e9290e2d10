import fc from "fast-check";
import { expect, it } from "vitest";
import { changesOf } from "./changes-of.ts";
import { hashOf } from "./content-packs.ts";
import { openHistory } from "./testkit.ts";

const paths = ["a.ts", "src/b.ts", "src/deep/c.ts"] as const;
const content = fc.oneof(
  fc.string({ maxLength: 40 }),
  fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes).toString("latin1")),
  fc.constant("same again"),
);
const step = fc.record({
  how: fc.constantFrom("hook", "shell", "rename", "remove", "touch", "flush"),
  path: fc.constantFrom(...paths),
  agent: fc.constantFrom("heron", "otter"),
  content,
});

it("keeps every content that a hook or the watcher saw, under its path, byte for byte, in order [GIT-20]", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), async (steps) => {
      await using world = openHistory();
      await world.history.opened([{ tree: world.tree, project: world.project }]);
      const model = new Map<string, (string | undefined)[]>(paths.map((path) => [path, []]));
      const see = (path: string): void => {
        const seen = model.get(path)!;
        const now = world.read(path);
        if (seen.length === 0 || seen.at(-1) !== now) seen.push(now);
      };
      for (const { how, path, agent, content: text } of steps) {
        const bytes = Buffer.from(text, "latin1");
        if (how === "hook") {
          see(path);
          world.tool(agent, path, () => world.write(path, bytes));
          see(path);
        } else if (how === "flush") await world.history.flush();
        else {
          if (how === "shell") world.write(path, bytes);
          if (how === "rename" && world.read(path) !== undefined) world.writeByRename(path, bytes);
          if (how === "remove") world.remove(path);
          world.history.changed(world.tree, path);
          world.clock.advance(25); // the watcher's moment
          // A file that was never there and is not there now was not changed.
          if (model.get(path)!.length > 0 || world.read(path) !== undefined) {
            if (model.get(path)!.length === 0) model.get(path)!.push(undefined);
            see(path);
          }
        }
      }
      await world.history.flush();
      for (const path of paths) {
        const chain = await world.chain(path);
        const kept: (string | undefined)[] = [];
        for (const version of chain) kept.push((await world.history.contentOf(version))?.toString("latin1"));
        expect(kept).toEqual(model.get(path));
        for (const { state, hash, bytes } of chain) {
          const at = kept[chain.findIndex((one) => one.hash === hash)];
          if (state === "kept") expect([hashOf(Buffer.from(at!, "latin1")), at!.length]).toEqual([hash, bytes]);
        }
      }
      expect([world.failures, world.troubles]).toEqual([[], []]);
    }),
    { numRuns: 40 },
  );
});

it("gives each change to the one agent whose tool made it, and to none when two could have [GIT-20]", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ agent: fc.constantFrom("heron", "otter", "shell"), text: fc.nat() }), { maxLength: 15 }),
      async (writes) => {
        await using world = openHistory();
        await world.history.opened([{ tree: world.tree, project: world.project }]);
        const model: (string | undefined)[] = [];
        let last: string | undefined;
        for (const [index, { agent, text }] of writes.entries()) {
          const line = `${index} ${text}\n`;
          if (agent === "shell") {
            world.clock.advance(5_000); // no tool call was under way
            world.write("a.ts", line);
            world.history.changed(world.tree, "a.ts");
            world.clock.advance(25);
          } else world.tool(agent, "a.ts", () => world.write("a.ts", line));
          if (line !== last) model.push(agent === "shell" ? undefined : agent);
          last = line;
        }
        await world.history.flush();
        const [, ...chain] = await world.chain("a.ts");
        expect(chain.map(({ author }) => author?.name)).toEqual(model);
        for (const name of ["heron", "otter"]) {
          const own = changesOf([...(await world.chain("a.ts"))], { agent: world.agent(name).id });
          expect(own.length).toBe(runsOf(model, name));
        }
      },
    ),
    { numRuns: 30 },
  );
});

function runsOf(names: readonly (string | undefined)[], name: string): number {
  return names.filter((one, index) => one === name && names[index - 1] !== name).length;
}
