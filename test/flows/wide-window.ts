/**
 * Loaded into a command before its own code (`node --import`): its output counts as a terminal of 260 by 30, which becomes
 * one of 70 by 12 on SIGUSR2. Needs no program that makes terminals, so that no machine skips the test.
 */
import process from "node:process";

const size = (columns: number, rows: number): void => void Object.assign(process.stdout, { columns, rows });

Object.assign(process.stdout, { isTTY: true });
size(260, 30);
process.on("SIGUSR2", () => {
  size(70, 12);
  process.stdout.emit("resize");
});
