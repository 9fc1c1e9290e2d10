/** Tokens that were not spent, measured and estimated apart, with the formula. A project has them. */
import type { ReactNode } from "react";
import type { OutputOf } from "../daemon/contract.ts";
import { useLive } from "../live/live-context.tsx";
import { Facts } from "../parts/facts.tsx";
import { Answered, Section } from "../parts/section.tsx";
import type { ProjectInView } from "../shell/use-project.ts";
import { sayTokens } from "./add-known.ts";

type Tokens = OutputOf<"history.savings">["total"]["measured"];

export function Savings({ project }: { readonly project: ProjectInView | undefined }): ReactNode {
  const answer = useLive("history.savings", project === undefined ? undefined : { allSessions: true }, { project });
  return (
    <Section title="Not spent">
      {project === undefined ? (
        <p className="quiet">Choose a project at the top to see what its archive saved.</p>
      ) : null}
      {project === undefined ? null : (
        <Answered answer={answer}>
          {({ formula, total }) => (
            <>
              <Facts
                rows={[
                  ["Measured", sayTokensOf(total.measured)],
                  ["Estimated", sayTokensOf(total.estimated)],
                  ["Answers from a cache", total.cacheHits],
                  ["Work that was skipped", total.skippedWork],
                  ["Consultations", total.consultations],
                ]}
              />
              <p className="quiet">{formula}</p>
            </>
          )}
        </Answered>
      )}
    </Section>
  );
}

function sayTokensOf({ saved, avoided, context, serving }: Tokens): string {
  const parts = `${sayTokens(avoided)} avoided, ${sayTokens(context)} of context, ${sayTokens(serving)} for answers`;
  return `${sayTokens(saved)} tokens saved (${parts})`;
}
