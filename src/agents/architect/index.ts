export { createArchitect } from "./role.ts";
export { architectRole, queryContext } from "./skills.ts";
export { architectCommands } from "./commands.ts";
export { architectSeat } from "./seat.ts";
