/** Whether coordination is enforced now: it is not while the store refuses changes. */
import { DomainError } from "../../contract/index.ts";

type ProbedStore = { readonly probe: () => Promise<void> };

/** The store's own refusal, or undefined while it takes changes. */
export async function storeTrouble({ probe }: ProbedStore): Promise<DomainError | undefined> {
  try {
    await probe();
    return undefined;
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
}

export async function whyNotEnforced(store: ProbedStore): Promise<string | undefined> {
  return (await storeTrouble(store))?.message;
}
