/**
 * How the language is written down: an operation and a durable event, each defined once.
 *
 *   defineOperation -> HTTP route + OpenAPI, MCP tool, CLI command, client method, reference page
 *   defineEvent     -> what the log stores (type + version) and what every live view reads
 */
import type * as z from "zod";
import type { ErrorCode } from "./errors.ts";

/** Who may call: the user of this machine, an agent (or the user on its behalf), or either. */
export type Actor = "user" | "agent" | "anyone";

export type HttpRoute = `${"GET" | "POST" | "DELETE"} /${string}`;

type McpTerms = {
  /** Tool name, when it differs from the operation's name. */
  readonly name?: string;
  /** In the default tool list; the others are found by the search tool. */
  readonly listed?: boolean;
  /** Fields of the answer that hold other agents' words; a model gets them fenced. */
  readonly untrusted?: readonly string[];
  /** Fields of the answer that a model must not see. */
  readonly hidden?: readonly string[];
};

export type OperationTerms<Name extends string, In extends z.ZodObject, Out extends z.ZodType, Who extends Actor> = {
  readonly name: Name;
  readonly summary: string;
  readonly http: HttpRoute;
  readonly actor: Who;
  readonly input: In;
  readonly output: Out;
  readonly errors: readonly ErrorCode[];
  readonly mcp?: McpTerms;
  /**
   * Fields that are taken as they come: paths and identities mean themselves, a provider's key goes into its own file.
   * Secrets are taken out of all other text of a change before it is carried out.
   */
  readonly verbatim?: readonly (keyof z.input<In> & string)[];
  /** A valid input, shown in the reference and parsed in a test. */
  readonly example: z.input<In>;
};

export type Operation<
  Name extends string = string,
  In extends z.ZodObject = z.ZodObject,
  Out extends z.ZodType = z.ZodType,
  Who extends Actor = Actor,
> = OperationTerms<Name, In, Out, Who> & {
  readonly method: "GET" | "POST" | "DELETE";
  readonly path: string;
  readonly kind: "read" | "change";
};

export function defineOperation<
  const Name extends string,
  In extends z.ZodObject,
  Out extends z.ZodType,
  const Who extends Actor,
>(terms: OperationTerms<Name, In, Out, Who>): Operation<Name, In, Out, Who> {
  const [method, path] = terms.http.split(" ") as ["GET" | "POST" | "DELETE", string];
  return { ...terms, method, path, kind: method === "GET" ? "read" : "change" };
}

export type Input<Op extends Operation> = Readonly<z.output<Op["input"]>>;
export type RawInput<Op extends Operation> = z.input<Op["input"]>;
export type Output<Op extends Operation> = z.output<Op["output"]>;

/** A fact about to be recorded; the log adds sequence, id and time. */
export type EventDraft<Type extends string = string, Data = unknown> = {
  readonly type: Type;
  readonly version: number;
  readonly subject: string;
  readonly data: Data;
};

export type EventDefinition<Type extends string = string, Data extends z.ZodObject = z.ZodObject> = {
  readonly type: Type;
  readonly version: number;
  readonly summary: string;
  readonly data: Data;
  /** `subject` is the id of the thing the fact is about. */
  of(subject: string, data: z.output<Data>): EventDraft<Type, z.output<Data>>;
};

export function defineEvent<const Type extends string, Data extends z.ZodObject>(
  type: Type,
  version: number,
  summary: string,
  data: Data,
): EventDefinition<Type, Data> {
  return { type, version, summary, data, of: (subject, value) => ({ type, version, subject, data: value }) };
}
