/** Signs of life of our own workers: how many may be missed in a row before one counts as unhealthy, and as dead. */
export const missedBeats = { unhealthy: 3, dead: 6 } as const;

/** How often there is one, unless the settings say otherwise. */
export const defaultBeatMs = 10_000;
