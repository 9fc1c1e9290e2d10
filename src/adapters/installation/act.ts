import type { DomainError } from "../../contract/index.ts";

/** One change of one file: shown first, done later. */
export type Step = { readonly file: string; readonly action: "create" | "change" | "remove"; readonly what: string };
export type Act = Step & { do(): void };
export type Plan = {
  readonly steps: readonly Step[];
  readonly notes: readonly string[];
  /** What its user must still do before it guards. */
  readonly pending?: readonly string[];
  /** Why it may not be applied. */
  readonly refusal?: DomainError | undefined;
  apply(): void;
};

export function shown(acts: readonly Act[]): readonly Step[] {
  return acts.map(({ file, action, what }) => ({ file, action, what }));
}
