/** Door of the embedded runtime: sessions, bus, pool and graphs as one. The daemon and `sylk/engine` are made from it. */
export { callProgram, type CarryOut, type NodeCall } from "./call-program.ts";
export { createEngine, type Engine, type EnginePorts, type EngineTx } from "./create-engine.ts";
export { type DagResult, type EngineDags, type GraphTerms, programDags } from "./program-dags.ts";
export { poolFigures } from "./pool-figures.ts";
