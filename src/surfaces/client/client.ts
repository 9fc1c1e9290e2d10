/**
 * The typed client, made from the registry: `client.call("work-item.claim", { id })`.
 *
 * Every change carries an idempotency key, so a caller may repeat a call whose answer got lost. Errors arrive as the
 * same `DomainError` the daemon threw. Schemas are loaded for a call with input and for an error: loading them takes longer
 * than a call, and a call without input has nothing to check here.
 */
import { fromErrorBody } from "../../contract/errors.ts";
import type { OperationName, OutputOf, RawInputOf } from "../../contract/index.ts";
import { defined } from "../../platform/defined.ts";
import { identityHeaders, type CallIdentity } from "./identity-headers.ts";
import routes from "./operation-routes.json" with { type: "json" };
import { parseBody } from "./parse-body.ts";
import { requestOf, type RequestTerms } from "./request-of.ts";
import type { Transport } from "../transport/index.ts";

export type CallOptions = {
  readonly idempotencyKey?: string | undefined;
  /** The answer is no longer wanted: a call that waits in line leaves it. */
  readonly signal?: AbortSignal | undefined;
};

export type SylkClient = {
  call<Name extends OperationName>(name: Name, input: RawInputOf<Name>, options?: CallOptions): Promise<OutputOf<Name>>;
};

export type ClientOptions = CallIdentity & { readonly transport: Transport };

export function createClient({ transport, ...caller }: ClientOptions): SylkClient {
  const identity = identityHeaders(caller);
  return {
    async call(name, input, { idempotencyKey, signal } = {}) {
      const { operation, parsed } = withoutInput(name, input) ?? (await checked(name, input));
      const response = await transport({
        ...requestOf(operation, parsed),
        ...waitOf(parsed),
        ...defined({ signal }),
        headers: { ...identity, ...(operation.kind === "change" ? headersOfChange(idempotencyKey) : {}) },
      });
      const body = parseBody(response.body, response.status);
      if (response.status >= 400)
        throw fromErrorBody((await import("../../contract/calling.ts")).ErrorBodySchema.parse(body));
      return body as OutputOf<typeof name>;
    },
  };
}

type Checked = { readonly operation: RequestTerms; readonly parsed: Readonly<Record<string, unknown>> };

/** Undefined where there is something to check, or to put into the path. */
function withoutInput(name: OperationName, input: object): Checked | undefined {
  const [method, path] = routes[name].split(" ") as [RequestTerms["method"], string];
  if (Object.keys(input).length > 0 || path.includes("{")) return undefined;
  return { operation: { method, path, kind: method === "GET" ? "read" : "change" }, parsed: {} };
}

async function checked(name: OperationName, input: object): Promise<Checked> {
  const { loadOperation, parseInput } = await import("../../contract/calling.ts");
  const operation = await loadOperation(name);
  return { operation, parsed: parseInput(operation, input) };
}

function headersOfChange(idempotencyKey: string = crypto.randomUUID()) {
  return { "content-type": "application/json", "idempotency-key": idempotencyKey };
}

/** Some operations answer only after a wait they were asked for. */
function waitOf(input: object): { readonly waitMs?: number } {
  return "waitMs" in input && typeof input.waitMs === "number" ? { waitMs: input.waitMs } : {};
}
