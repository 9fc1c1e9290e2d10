/**
 * A skill: something an agent can do, as a model is told about it.
 *
 *   defineSkill({ parameters: { path: text("…"), depth: optional(int("…")) } }) -> JSON schema, typed input, checking
 *
 * One definition yields what the model sees and what its input is checked against, so the two cannot differ.
 */
import * as z from "zod";
import { DomainError } from "../../contract/index.ts";

export const tiers = ["core", "domain", "specialised"] as const;
export type Tier = (typeof tiers)[number];

export const text = (about: string) => z.string().describe(about);
export const int = (about: string) => z.int().describe(about);
export const bool = (about: string) => z.boolean().describe(about);
export const choice = <const Values extends readonly [string, ...string[]]>(values: Values, about: string) =>
  z.enum(values).describe(about);
export const list = <Item extends z.ZodType>(item: Item, about: string) => z.array(item).describe(about);
export const record = <Fields extends z.ZodRawShape>(fields: Fields, about: string) =>
  z.strictObject(fields).describe(about);
/** An object whose fields the caller chooses. */
export const anything = (about: string) => z.record(z.string(), z.unknown()).describe(about);
export const optional = <Parameter extends z.ZodType>(parameter: Parameter) => parameter.optional();

type Terms<Fields extends z.ZodRawShape> = {
  readonly name: string;
  /** Where two agents mean different things by one name; by default the name. */
  readonly id?: string;
  readonly description: string;
  readonly domain: string;
  /** Words or phrases that call for it; at least one. */
  readonly keywords: readonly string[];
  readonly tier: Tier;
  readonly parameters: Fields;
  /** Tokens of its prompt where they are known beforehand; a test keeps them true. */
  readonly tokens?: number;
};

export type Skill = {
  readonly name: string;
  readonly id?: string;
  readonly description: string;
  readonly domain: string;
  readonly keywords: readonly string[];
  readonly tier: Tier;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  /** What a model is given while the skill is loaded: its size is the skill's cost. */
  readonly prompt: string;
  /** Counted when it is missing. */
  readonly tokens?: number;
};

export type DefinedSkill<Input> = Skill & {
  /** The same schema, for code that gives the skill to a model as a tool. */
  readonly input: z.ZodType;
  /** Fails with every problem of the input at once. */
  parse(input: unknown): Input;
};

const nameShape = /^[a-z][a-z0-9]*(?:[_-][a-z0-9]+)*$/;

export function defineSkill<const Fields extends z.ZodRawShape>(
  terms: Terms<Fields>,
): DefinedSkill<z.output<z.ZodObject<Fields, z.core.$strict>>> {
  const { parameters, ...facts } = terms;
  refuseIncomplete(facts);
  const schema = z.strictObject(parameters);
  const { $schema: _, ...inputSchema } = z.toJSONSchema(schema, { io: "input" });
  const prompt = JSON.stringify({ name: terms.name, description: terms.description, inputSchema });
  return {
    ...facts,
    inputSchema,
    prompt,
    input: schema,
    parse(input) {
      const { data, error } = schema.safeParse(input);
      if (error === undefined) return data;
      const problems = error.issues.map(({ path, message }) => ({ path: path.join("."), message }));
      const said = problems.map(({ path, message }) => (path === "" ? message : `${path}: ${message}`)).join("; ");
      throw new DomainError("input.invalid", `${terms.name}: ${said}`, { details: { skill: terms.name, problems } });
    },
  };
}

/** A skill that cannot be found or understood is a defect of its definition. */
function refuseIncomplete({ name, description, domain, keywords }: Omit<Terms<z.ZodRawShape>, "parameters">): void {
  const problems = [
    nameShape.test(name) ? "" : "its name must be small letters and digits, joined by _ or -",
    description.trim() === "" ? "it needs a description" : "",
    domain.trim() === "" ? "it needs a domain" : "",
    keywords.some((keyword) => /[\p{L}\p{N}]/u.test(keyword)) ? "" : "it needs a keyword",
  ].filter((problem) => problem !== "");
  if (problems.length > 0) throw new TypeError(`skill ${JSON.stringify(name)}: ${problems.join("; ")}`);
}
