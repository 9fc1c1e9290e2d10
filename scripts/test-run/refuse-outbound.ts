/** For every test file of every suite: none of them, nor the code it loads, may try to leave this machine. */
import { afterAll } from "vitest";
import { attempts } from "./outbound-hook.ts";

afterAll(() => {
  if (attempts.length > 0) throw new Error(`would have left this machine: ${JSON.stringify(attempts)}`);
});
