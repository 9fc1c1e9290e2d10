/** Door of the keyed queue: work on the same names runs one after the other. */
export { createKeyedQueue, type KeyedQueue } from "./keyed-queue.ts";
