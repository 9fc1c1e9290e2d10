/** For browsers and remote tools: the same requests over fetch. */
import { defined } from "../../platform/defined.ts";
import { type Transport, unreachable } from "./transport.ts";

export function fetchTransport(url: string): Transport {
  return async ({ method, path, headers, body }) => {
    try {
      const response = await fetch(new URL(path, url), { method, headers, ...defined({ body }) });
      return { status: response.status, body: await response.text() };
    } catch (cause) {
      throw unreachable(url, cause);
    }
  };
}
