/** Door of the bus: in-process publish and subscribe, and the error for subjects it refuses. */
export { createBus, type Bus, type BusOptions, type Handler, type SubscriberFailure } from "./bus.ts";
export { createSubjectTrie, InvalidSubject } from "./subject-trie.ts";
