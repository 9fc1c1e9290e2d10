/** Every named break, by the part of the product that it breaks. */
import { archiveMutants } from "./archive.ts";
import { academicMutants } from "./academic.ts";
import { dashboardWorkMutants } from "./dashboard-work.ts";
import { dashboardPagesMutants } from "./dashboard-pages.ts";
import { engineMutants } from "./engine.ts";
import type { Mutant } from "./mutant.ts";

export type { Mutant } from "./mutant.ts";
export const mutants: readonly Mutant[] = [
  ...engineMutants,
  ...archiveMutants,
  ...academicMutants,
  ...dashboardWorkMutants,
  ...dashboardPagesMutants,
];
