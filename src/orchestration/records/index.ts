export { exportRecords } from "./export-records.ts";
export { forgetProject } from "./forget-project.ts";
export { listProjects } from "./list-projects.ts";
export { purgeRecords } from "./purge-records.ts";
export type { RecordRepositories } from "./ports.ts";
