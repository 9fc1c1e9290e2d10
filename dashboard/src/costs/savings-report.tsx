/** Tokens that were not spent, measured and estimated apart, with the formula. A project has them. */
import type { ReactNode } from "react";
import { useLive } from "../live/live-context.tsx";
import { Facts } from "../parts/facts.tsx";
import { Answered, Section } from "../parts/section.tsx";
import type { ProjectInView } from "../shell/use-project.ts";

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
                rows={Object.entries(total)
                  .filter((entry): entry is [string, number] => typeof entry[1] === "number")
                  .map(([name, value]) => [sayField(name), value.toLocaleString("en")])}
              />
              <p className="quiet">{formula}</p>
            </>
          )}
        </Answered>
      )}
    </Section>
  );
}

/** "estimatedTokens" -> "Estimated tokens". */
function sayField(name: string): string {
  const spaced = name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return spaced.charAt(0).toUpperCase() + spaced.slice(1);
}
