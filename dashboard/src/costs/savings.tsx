/** Tokens that were not spent: measured and estimated apart, with the formula. */
import type { ReactNode } from "react";
import { useLive } from "../live/live-context.tsx";
import { CommandLine } from "../parts/command-line.tsx";
import { Answered, Section } from "../parts/section.tsx";
import { capital, count } from "../parts/wording.ts";
import type { ProjectInView } from "../shell/use-project.ts";

const columns = ["avoided", "context", "serving", "saved"] as const;

export function SavingsSection({ project }: { readonly project: ProjectInView | undefined }): ReactNode {
  const answer = useLive("history.savings", project === undefined ? undefined : { allSessions: true }, { project });
  return (
    <Section title="Savings" actions={<CommandLine text="sylk history savings --all-sessions" />}>
      {project === undefined ? (
        <p className="quiet">Savings are counted per project. Choose a project at the top of the page.</p>
      ) : (
        <Answered answer={answer}>
          {({ formula, total }) => (
            <>
              <div className="table-scroll" tabIndex={0} role="region" aria-label="Savings in tokens">
                <table className="numbers">
                  <thead>
                    <tr>
                      <th scope="col">Tokens</th>
                      {columns.map((name) => (
                        <th key={name} scope="col">
                          {name}
                        </th>
                      ))}
                    </tr>
                  </thead>
                  <tbody>
                    {(["measured", "estimated"] as const).map((kind) => (
                      <tr key={kind}>
                        <th scope="row">{kind}</th>
                        {columns.map((name) => (
                          <td key={name}>{total[kind][name].toLocaleString("en")}</td>
                        ))}
                      </tr>
                    ))}
                  </tbody>
                </table>
              </div>
              <p className="quiet">
                {count(total.cacheHits, "cache hit")}, {count(total.skippedWork, "piece")} of work skipped,{" "}
                {count(total.consultations, "consultation")}. {capital(formula)}.
              </p>
            </>
          )}
        </Answered>
      )}
    </Section>
  );
}
