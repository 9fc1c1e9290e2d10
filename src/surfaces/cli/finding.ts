/** The input and the result of one check of `sylk doctor`. */
import type { HomePaths } from "../../platform/home/index.ts";

export type Finding = {
  readonly check: string;
  readonly state: "ok" | "warning" | "problem";
  readonly what: string;
  readonly fix?: string;
};

export type DoctorTerms = {
  readonly paths: HomePaths;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
};
