/** Door of the embedded runtime: sessions, bus, pool and graphs as one. The daemon and `sylk/engine` are made from it. */
export { createEngine, type Engine, type EnginePorts } from "./create-engine.ts";
export { poolFigures } from "./pool-figures.ts";
