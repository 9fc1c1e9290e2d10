/** The results of `sylk doctor`: what has to be mended first, with the way to mend it; what is sound is folded. */
import type { ReactNode } from "react";
import type { Examination } from "../daemon/contract.ts";
import { CommandLine } from "../parts/command-line.tsx";
import { Answered, Section } from "../parts/section.tsx";
import { StateMark } from "../parts/state-mark.tsx";
import { count } from "../parts/wording.ts";
import type { ProjectInView } from "../shell/use-project.ts";
import { useExamination } from "./use-examination.ts";

type Check = Examination["findings"][number];

export function Doctor({ project }: { readonly project: ProjectInView | undefined }): ReactNode {
  const { answer, isBusy, again } = useExamination(project);
  return (
    <Section
      title="Doctor"
      actions={
        <button type="button" className="small" disabled={isBusy} onClick={again}>
          {isBusy ? "Examining…" : "Examine again"}
        </button>
      }
    >
      <Answered answer={answer}>{({ findings }) => <Checks findings={findings} />}</Answered>
      <p className="quiet">
        The same in a terminal also sees your shell
        {project === undefined ? "; choose a project to examine its hooks and settings" : ""}:
      </p>
      <CommandLine text="sylk doctor" />
    </Section>
  );
}

function Checks({ findings }: { readonly findings: readonly Check[] }): ReactNode {
  const worst = [...findings.filter(isProblem), ...findings.filter(({ state }) => state === "warning")];
  const sound = findings.filter(({ state }) => state === "ok");
  return (
    <>
      {worst.length === 0 ? (
        <p>
          <StateMark state="pass" label="sound" /> No check found a problem.
        </p>
      ) : (
        <CheckRows checks={worst} label="Problems and warnings" />
      )}
      {sound.length === 0 ? null : (
        <details>
          <summary>{count(sound.length, "check")} passed</summary>
          <CheckRows checks={sound} label="Checks that passed" />
        </details>
      )}
    </>
  );
}

const looks = { ok: "pass", warning: "blocked", problem: "failed" } as const;

function CheckRows({ checks, label }: { readonly checks: readonly Check[]; readonly label: string }): ReactNode {
  return (
    <ul className="rows checks" aria-label={label}>
      {checks.map(({ check, state, what, fix }, place) => (
        <li key={place}>
          <StateMark state={looks[state]} label={state} />
          <strong>{check}</strong>
          <span className="task">
            {what}
            {fix === undefined ? null : <span className="quiet fix">Fix: {fix}</span>}
          </span>
        </li>
      ))}
    </ul>
  );
}

function isProblem({ state }: Check): boolean {
  return state === "problem";
}
