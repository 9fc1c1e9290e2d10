/** A ModelFailure of a provider, with problem and way out apart for those who show them apart. */
import { ModelFailure, type ModelFailureKind } from "../../orchestration/models/index.ts";

type Told = {
  readonly problem: string;
  /** What the user can do, as a command to them. */
  readonly fix?: string | undefined;
  readonly retryAfterMs?: number | undefined;
  readonly cause?: unknown;
};

export class ProviderFailure extends ModelFailure {
  readonly problem: string;
  readonly fix: string | undefined;

  constructor(kind: ModelFailureKind, { problem, fix, retryAfterMs, cause }: Told) {
    super(kind, fix === undefined ? problem : `${problem}; ${fix}`, { retryAfterMs, cause });
    this.problem = problem;
    this.fix = fix;
  }
}
