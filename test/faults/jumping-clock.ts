/**
 * Loaded into a daemon before its own code (`node --import`): its wall clock is off by what the file `wall-offset` of its
 * home says, read at the start and again at each SIGUSR2. The monotonic clock goes on as it is.
 */
import { existsSync, readFileSync } from "node:fs";

const file = `${process.env.SYLK_HOME}/wall-offset`;
const realNow = Date.now.bind(Date);
let offset = 0;
function read(): void {
  if (existsSync(file)) offset = Number(readFileSync(file, "utf8"));
}
read();
Date.now = () => realNow() + offset;
process.on("SIGUSR2", read);
