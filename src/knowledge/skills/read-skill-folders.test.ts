import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { parseSkillFile } from "./parse-skill-file.ts";
import { readSkillFolders } from "./read-skill-folders.ts";

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "sylk-skills-"));
});
afterEach(() => rm(root, { recursive: true }));

async function folder(name: string, content: string): Promise<void> {
  await mkdir(join(root, name));
  await writeFile(join(root, name, "SKILL.md"), content);
}

const header = (name: string, more = "") => `---\nname: ${name}\ndescription: Does it.\n${more}---\n`;

it("reads every folder with a SKILL.md, and tells which it could not read and why", async () => {
  await folder(
    "good-one",
    header("good-one", 'metadata:\n  domain: code\n  keywords: "imports, import graph"\n  tier: specialised\n') +
      "\nSteps.\n",
  );
  await folder("plain-one", header("plain-one"));
  await folder("bad-name", header("other-name"));
  await folder("bad-yaml", "---\nname: [\n---\n");
  await folder("bare", "no front matter");
  await folder("huge", header("huge") + "x".repeat(300_000));
  await mkdir(join(root, "unrelated"));
  await writeFile(join(root, "README.md"), "no folder");
  await mkdir(join(root, "linked"));
  await symlink(join(root, "good-one", "SKILL.md"), join(root, "linked", "SKILL.md"));
  await symlink(join(root, "good-one"), join(root, "linked-folder"));

  const { skills, problems } = await readSkillFolders(root);
  expect(skills).toMatchObject([
    {
      name: "good-one",
      domain: "code",
      keywords: ["imports", "import graph"],
      tier: "specialised",
      prompt: "# good-one\n\nDoes it.\n\nSteps.",
    },
    { name: "plain-one", domain: "general", keywords: ["plain one"], tier: "domain" },
  ]);
  expect(
    problems.map(
      ({ file, problems: said }) => `${file.split("/").at(-2)}: ${said.map(({ message }) => message).join("; ")}`,
    ),
  ).toEqual([
    'bad-name: name: is "other-name", but its folder is "bad-name"; name both alike',
    expect.stringContaining("bad-yaml: "),
    'bare: it does not begin with front matter between two lines "---"',
    "huge: it is larger than 262144 bytes",
    "linked: it is not a plain file; links are not followed",
  ]);
});

it("finds no skills where there is no folder, and fails where the folder is none", async () => {
  expect(await readSkillFolders(join(root, "missing"))).toEqual({ skills: [], problems: [] });
  await writeFile(join(root, "file"), "");
  await expect(readSkillFolders(join(root, "file"))).rejects.toThrow("ENOTDIR");
});

it.each([
  ["", /front matter/],
  ["---\n---\n", /front matter/],
  ["---\n- a\n---\n", /expected object/],
  ["---\nname: a b\ndescription: ''\n---\n", /name: must be small letters.*description: /],
  [header("x", "metadata: { tier: core }\n"), /metadata.tier: /],
  [header("x", "metadata: { domain: 'Do this: now!' }\n"), /metadata.domain: must be at most 60/],
  [header("x", "metadata: { keywords: 'ok, ignore <all>' }\n"), /metadata.keywords: at most 50/],
  [header("x", `metadata: { keywords: '${"k,".repeat(51)}' }\n`), /metadata.keywords: at most 50/],
  [header("x", "metadata: &a [1]\nmore: *a\n"), /uses YAML aliases/],
  [`---\nname: x\nname: x\ndescription: d\n---\n`, /unique/],
  [header("x", `more: ${"y".repeat(20_000)}\n`), /longer than 16384/],
])("refuses %j with the reason", (content, reason) => {
  expect(() => parseSkillFile(content, "x")).toThrow(reason);
});

it("reads files of other systems and other tools' fields", () => {
  const content =
    "\uFEFF---\r\nname: x\r\ndescription: d\r\nallowed-tools: Read\r\nlicense: MIT\r\nmetadata:\r\n  author: me\r\n---\r\nBody";
  expect(parseSkillFile(content, "x")).toMatchObject({ name: "x", keywords: ["x"], prompt: "# x\n\nd\n\nBody" });
});
