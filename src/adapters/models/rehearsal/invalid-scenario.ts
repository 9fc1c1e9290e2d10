/** The error of a scenario file: all problems at once, each with its place. */
import { DomainError } from "../../../contract/errors.ts";

export type ScenarioProblem = {
  /** `<file>:<line>:<column>`, or the file alone when it cannot be read at all. */
  readonly where: string;
  readonly message: string;
};

const mostProblemsTold = 20;

export class InvalidScenario extends DomainError {
  readonly problems: readonly ScenarioProblem[];

  constructor(problems: readonly ScenarioProblem[]) {
    const told = problems.slice(0, mostProblemsTold).map(({ where, message }) => `${where}: ${message}`);
    const left = problems.length - told.length;
    const message = [...told, ...(left > 0 ? [`and ${left} more problems`] : [])].join("\n");
    super("scenario.invalid", message, { details: { problems: problems.slice(0, mostProblemsTold) } });
    this.problems = problems;
  }
}
