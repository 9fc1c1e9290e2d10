/**
 * A SKILL.md of the Agent Skills format: front matter with name and description, then the instructions.
 *
 *   ---
 *   name: analyse-imports
 *   description: Shows what a file depends on. Use for questions about dependencies.
 *   metadata: { domain: code, keywords: "imports, dependencies", tier: domain }
 *   ---
 *   instructions
 *
 * The file may be a stranger's: its size is bounded, YAML aliases are refused, and nothing in it is run.
 */
import { type Document, LineCounter, parseDocument } from "yaml";
import * as z from "zod";
import { type Skill, tiers } from "./define-skill.ts";

/** The library's check for repeated keys is quadratic; so much it does in no time. */
const longestFrontMatter = 16_384;
export const largestFile = 262_144;

/** What is shown beside a name: short, and without a sentence that reads like an instruction. */
const word = /^[\p{L}\p{N}][\p{L}\p{N} ._@/+#-]{0,59}$/u;
const Word = z.string().trim().regex(word, "must be at most 60 letters, digits, spaces and . _ @ / + # -");
const mostKeywords = 50;

const FrontMatter = z.object({
  name: z
    .string()
    .max(64)
    .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, "must be small letters, digits and single hyphens"),
  description: z.string().trim().min(1).max(1_024),
  metadata: z
    .object({
      domain: Word.optional(),
      keywords: z.union([z.string().max(2_000), z.array(z.string()).max(mostKeywords)]).optional(),
      tier: z.enum(tiers).exclude(["core"]).optional(),
    })
    .loose()
    .optional(),
});

/** The line is the file's, from 1; none where the whole file is meant. */
export type FileProblem = { readonly line?: number; readonly message: string };

/** Carries every problem of the file, each with the field it is about. */
export class InvalidSkillFile extends Error {
  override readonly name = "InvalidSkillFile";
  readonly problems: readonly FileProblem[];
  constructor(problems: readonly FileProblem[], options?: ErrorOptions) {
    super(problems.map(({ message }) => message).join("; "), options);
    this.problems = problems;
  }
}

/** `folder` is the name of the folder that holds the file; the format wants the skill to be named like it. */
export function parseSkillFile(content: string, folder: string): Skill {
  const [, header, body] = /^\uFEFF?---[ \t]*\r?\n(.*?)\r?\n---[ \t]*(?:\r?\n(.*))?$/s.exec(content) ?? [];
  if (header === undefined)
    throw new InvalidSkillFile([{ line: 1, message: 'it does not begin with front matter between two lines "---"' }]);
  const { document, lineOf } = readYaml(header);
  const { success, data, error } = FrontMatter.safeParse(valuesOf(document));
  if (!success)
    throw new InvalidSkillFile(
      error.issues.map(({ path, message }) => ({
        line: lineOf(path),
        message: path.length === 0 ? message : `${path.join(".")}: ${plainly(message)}`,
      })),
    );
  const { name, description, metadata = {} } = data;
  if (name !== folder)
    throw new InvalidSkillFile([
      { line: lineOf(["name"]), message: `name: is "${name}", but its folder is "${folder}"; name both alike` },
    ]);
  const keywords = keywordsOf(metadata.keywords);
  const wrong = keywords.filter((keyword) => !word.test(keyword));
  if (wrong.length > 0 || keywords.length > mostKeywords)
    throw new InvalidSkillFile([
      {
        line: lineOf(["metadata", "keywords"]),
        message: `metadata.keywords: at most ${mostKeywords}, each of at most 60 letters, digits, spaces and . _ @ / + # -`,
      },
    ]);
  return {
    name,
    description,
    domain: metadata.domain ?? "general",
    keywords: keywords.length === 0 ? [name.replaceAll("-", " ")] : keywords,
    tier: metadata.tier ?? "domain",
    inputSchema: { type: "object", properties: {}, additionalProperties: false },
    prompt: `# ${name}\n\n${description}\n\n${(body ?? "").trim()}`.trim(),
  };
}

function plainly(message: string): string {
  return message.endsWith("received undefined") ? "is missing" : message;
}

type FrontMatterText = { readonly document: Document; lineOf(path: readonly PropertyKey[]): number };

/** The front matter begins in the file's second line. */
const linesBefore = 1;

function readYaml(header: string): FrontMatterText {
  if (header.length > longestFrontMatter)
    throw new InvalidSkillFile([
      { line: 2, message: `its front matter is longer than ${longestFrontMatter} characters` },
    ]);
  const lines = new LineCounter();
  const document = parseDocument(header, { prettyErrors: false, lineCounter: lines });
  const lineAt = (offset: number): number => lines.linePos(offset).line + linesBefore;
  if (document.errors.length > 0)
    throw new InvalidSkillFile(document.errors.map(({ message, pos }) => ({ line: lineAt(pos[0]), message })));
  return {
    document,
    lineOf(path) {
      // A field that is missing has no place of its own: then the place of its parent.
      for (let depth = path.length; depth > 0; depth--) {
        const { range } = (document.getIn(path.slice(0, depth), true) ?? {}) as { range?: readonly number[] };
        if (range?.[0] !== undefined) return lineAt(range[0]);
      }
      return 1;
    },
  };
}

function valuesOf(document: Document): unknown {
  try {
    return document.toJS({ maxAliasCount: 0 });
  } catch (error) {
    throw new InvalidSkillFile([{ line: 2, message: "its front matter uses YAML aliases; write the values out" }], {
      cause: error,
    });
  }
}

function keywordsOf(given: string | readonly string[] = []): readonly string[] {
  const words = (typeof given === "string" ? given.split(",") : given).map((keyword) => keyword.trim());
  return words.filter((keyword) => /[\p{L}\p{N}]/u.test(keyword));
}
