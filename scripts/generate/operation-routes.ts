/** The route of each operation: a call without input is made without loading a schema. */
import { allOperations } from "../../src/contract/index.ts";

export function operationRoutes(): string {
  const routes = allOperations().map(({ name, http }) => [name, http]);
  return `${JSON.stringify(Object.fromEntries(routes), undefined, 2)}\n`;
}
