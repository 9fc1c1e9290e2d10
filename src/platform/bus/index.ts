/** Door of the bus: in-process publish and subscribe, requests with a deadline, scopes, dead letters. */
export { type AskBus, createAskBus, DeadlinePassed, NoSingleResponder } from "./ask.ts";
export { createBus, type Bus, type SubscribeOptions, type SubscriptionState } from "./bus.ts";
export { createDeadLetters, type DeadLetter, type DeadLetters } from "./dead-letters.ts";
export { scopedBus, type ScopedBus } from "./scoped-bus.ts";
export { createSubjectTrie } from "./subject-trie.ts";
