export type { CommandPort, CommandRequest, CommandResult, ProcessIdentity } from "./command-port.ts";
