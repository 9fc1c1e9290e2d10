import { expect, it } from "vitest";
import { guideWorld, echo, messageOf, sessionA } from "../../orchestration/guide/testkit.ts";
import { standardCards } from "../../orchestration/guide/index.ts";
import type { RolePorts } from "./role-ports.ts";
import { createSlashDesk } from "./slash-desk.ts";

function desk(trees: string[] = []) {
  return createSlashDesk({
    portsAt: ({ tree }) => {
      trees.push(tree);
      return {
        look: async (_: string, { text }: { readonly text: string }) => ({
          items: [{ path: `${tree}/a.ts`, line: 1, text }],
          about: { files: 1 },
        }),
      } as unknown as RolePorts;
    },
    placeOf: () => ({ tree: "/srv/shop", project: undefined }),
    phaseOf: async () => "session",
  });
}

function router() {
  const { guide } = guideWorld();
  for (const role of ["librarian", "inspector"] as const) guide.registerShared(standardCards[role], echo(role));
  return guide.open(sessionA);
}

it("puts the tag of the role that has it in front of a slash line", async () => {
  const { direct, known } = desk();
  const { name, agent } = known.find((command) => command.agent === "librarian")!;
  expect(await direct({ input: `/${name} cart` }, router())).toEqual({ input: `@to:${agent} /${name} cart` });
});

it("leaves questions, tagged lines and paths as they are, and refuses a command that no role has", async () => {
  const { direct } = desk();
  for (const input of ["where is the total?", "what is in /srv/shop?"])
    expect(await direct({ input }, router())).toEqual({ input });
  await expect(direct({ input: "/no-such-command" }, router())).rejects.toMatchObject({ code: "input.invalid" });
});

it("carries a slash line out as the role, in the place of the question", async () => {
  const trees: string[] = [];
  const { taking, known } = desk(trees);
  const command = known.find(({ agent, name }) => agent === "librarian" && name === "find") ?? known[0]!;
  const handler = taking("librarian", async () => expect.unreachable("the line is taken before"));
  const answer = await handler(
    messageOf("USER_INPUT", { text: `/${command.name} cart` }),
    new AbortController().signal,
  );
  expect([answer.type, trees.at(-1)]).toEqual(["USER_RESPONSE", "/srv/shop"]);
});
