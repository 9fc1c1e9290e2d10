/**
 * The typed client for the page that a daemon serves.
 *
 *   call -> fetch with the browser's cookie, and the page's own header for a change -> the daemon checks the input
 *
 * It loads no schemas: the page shows its first picture sooner, and the daemon checks every input anyway.
 */
import { type ErrorBody, fromErrorBody } from "../../contract/errors.ts";
import type { OperationName, OutputOf, RawInputOf } from "../../contract/index.ts";
import type { Transport } from "../transport/index.ts";
import routes from "./operation-routes.json" with { type: "json" };
import { parseBody } from "./parse-body.ts";
import { requestOf, type RequestTerms } from "./request-of.ts";

export type PageCallOptions = {
  /** Folder of the project that the call is about; absent for all projects. */
  readonly project?: string | undefined;
};
export type PageClient = {
  call<Name extends OperationName>(
    name: Name,
    input: RawInputOf<Name>,
    options?: PageCallOptions,
  ): Promise<OutputOf<Name>>;
};
export type PageClientOptions = {
  readonly transport: Transport;
  /** Shows the daemon that a change comes from its own page. */
  readonly csrf: () => string;
  readonly newKey: () => string;
};

export function createPageClient({ transport, csrf, newKey }: PageClientOptions): PageClient {
  return {
    async call(name, input, { project } = {}) {
      const [method, path] = routes[name].split(" ") as [RequestTerms["method"], string];
      const kind = method === "GET" ? "read" : "change";
      const change = { "content-type": "application/json", "sylk-csrf": csrf(), "idempotency-key": newKey() };
      const response = await transport({
        ...requestOf({ method, path, kind }, input),
        headers: {
          accept: "application/json",
          ...(project === undefined ? {} : { "sylk-project": encodeURIComponent(project) }),
          ...(kind === "change" ? change : {}),
        },
      });
      const body = parseBody(response.body, response.status);
      if (response.status >= 400) throw fromErrorBody(body as ErrorBody);
      return body as OutputOf<typeof name>;
    },
  };
}
