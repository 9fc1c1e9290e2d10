/** Runs: the list of runs and graphs, or one of them. */
import type { ReactNode } from "react";
import type { PageProps } from "../shell/page-props.ts";
import { DagPage } from "./dag-page.tsx";
import { RunList } from "./run-list.tsx";
import { RunPage } from "./run-page.tsx";
import "./runs.css";

export function RunsPage({ route }: PageProps): ReactNode {
  if (route.id === undefined) return <RunList route={route} />;
  if (route.id.startsWith("dag_")) return <DagPage key={route.id} id={route.id} route={route} />;
  return <RunPage key={route.id} id={route.id} route={route} />;
}
