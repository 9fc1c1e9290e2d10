/** Door of the pool: jobs in five lanes, served fairly across groups, within limits. */
export { patientPool } from "./patient-pool.ts";
export { createPool, type Pool, type PoolOptions, TimeLimitPassed, type Work } from "./pool.ts";
export { type Lane, lanes } from "./lanes.ts";
export type { PoolMetrics } from "./pool-metrics.ts";
