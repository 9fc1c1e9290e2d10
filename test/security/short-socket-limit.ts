/**
 * Loaded into a daemon before its own code (`node --import`): thirty seconds without a byte on a socket have passed after
 * three. Every other limit stays as it is.
 */
import { Socket } from "node:net";

const setTimeoutOf = Socket.prototype.setTimeout;
Socket.prototype.setTimeout = function (this: Socket, ms: number, onTimeout?: () => void): Socket {
  return setTimeoutOf.call(this, ms === 30_000 ? 3_000 : ms, onTimeout);
};
