/** Awaits a call that must be refused. */
import { DomainError } from "../../../contract/errors.ts";

export async function refusalOf(call: Promise<unknown>): Promise<DomainError> {
  try {
    await call;
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
  throw new Error("the second agent was not refused");
}
