import { expect, it } from "vitest";
import { terminalName } from "./terminal-name.ts";

const device = (major: number, minor: number): number => (minor & 0xff) | (major << 8) | ((minor & 0xfff00) << 12);

it("names a terminal by the device number that /proc gives, and none for 0 and for what is not a terminal [DASH-19]", () => {
  expect(terminalName(device(136, 3))).toBe("pts/3");
  expect(terminalName(device(136, 300))).toBe("pts/300");
  expect(terminalName(device(137, 1))).toBe("pts/257");
  expect(terminalName(device(4, 2))).toBe("tty2");
  expect(terminalName(device(4, 64))).toBe("ttyS0");
  expect([terminalName(0), terminalName(device(5, 1)), terminalName(-1), terminalName(Number.NaN)]).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});
