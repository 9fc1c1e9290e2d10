/** The error of a tagged input: the problem, its position, and what is expected there. */
import { type DomainError, invalidInput } from "../../contract/index.ts";

export type RouteProblem = {
  /** Offset into the input as it was given. */
  readonly position: number;
  readonly expected: string;
  readonly got: string;
};

export function routeError({ position, expected, got }: RouteProblem, message?: string): DomainError {
  const text = message ?? `at ${position}: expected ${expected}, got ${got}`;
  return invalidInput("request", text, { details: { position, expected, got } });
}
