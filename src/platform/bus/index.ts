/** Door of the bus: in-process publish and subscribe, and the error for subjects it refuses. */
export { createBus, type Bus } from "./bus.ts";
export { createSubjectTrie } from "./subject-trie.ts";
