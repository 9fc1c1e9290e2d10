/** What the dashboard knows of the contract: its types, and the errors as the daemon throws them. */
export type * from "../../../src/contract/index.ts";
export { DomainError } from "../../../src/contract/errors.ts";
