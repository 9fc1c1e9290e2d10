import { expect, it } from "vitest";
import { manualClock } from "../../platform/clock/index.ts";
import type { KeptBrowser } from "../../platform/home/index.ts";
import { createBrowserSessions } from "./browser-sessions.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

function keeper(kept: readonly KeptBrowser[] = []) {
  const file = {
    kept,
    read: () => file.kept,
    write: (browsers: readonly KeptBrowser[]) => void (file.kept = browsers),
  };
  return file;
}

it("signs in with a code once", () => {
  const clock = manualClock();
  const sessions = createBrowserSessions(clock, keeper());
  const { code, expiresAt } = sessions.makeLink();
  expect(expiresAt).toBe(clock.now() + minuteMs);
  const secret = sessions.signIn(code)!;
  expect(sessions.find(secret)).toMatchObject({ expiresAt: clock.now() + 12 * hourMs });
  expect(sessions.signIn(code)).toBeUndefined();
});

it("refuses a code after a minute, whatever the wall clock says", () => {
  const clock = manualClock();
  const sessions = createBrowserSessions(clock, keeper());
  const [early, late] = [sessions.makeLink(), sessions.makeLink()];
  clock.jumpWall(24 * hourMs);
  clock.advance(minuteMs - 1);
  expect(sessions.signIn(early.code)).toBeDefined();
  clock.advance(1);
  expect(sessions.signIn(late.code)).toBeUndefined();
});

it("ends a session after 12 hours, used or not", () => {
  const clock = manualClock();
  const sessions = createBrowserSessions(clock, keeper());
  const secret = sessions.signIn(sessions.makeLink().code)!;
  clock.advance(12 * hourMs - 1);
  expect(sessions.find(secret)).toBeDefined();
  clock.advance(1);
  expect(sessions.find(secret)).toBeUndefined();
});

it("takes a code for no cookie, a cookie for no code, and makes each of 256 bits", () => {
  const sessions = createBrowserSessions(manualClock(), keeper());
  const { code } = sessions.makeLink();
  expect(sessions.find(code)).toBeUndefined();
  const secret = sessions.signIn(code)!;
  const { csrf } = sessions.find(secret)!;
  expect(sessions.signIn(secret)).toBeUndefined();
  expect(sessions.find(csrf)).toBeUndefined();
  const all = [code, secret, csrf];
  expect(new Set(all).size).toBe(3);
  for (const one of all) expect(Buffer.from(one, "base64url")).toHaveLength(32);
});

it("keeps a bounded number of links and sessions, the newest ones", () => {
  const sessions = createBrowserSessions(manualClock(), keeper());
  const codes = Array.from({ length: 65 }, () => sessions.makeLink().code);
  expect(sessions.signIn(codes[0]!)).toBeUndefined();
  const secrets = codes.slice(1).map((code) => sessions.signIn(code)!);
  const last = sessions.signIn(sessions.makeLink().code)!;
  expect([secrets[0]!, secrets[1]!, last].map((secret) => sessions.find(secret) !== undefined)).toEqual([
    false,
    true,
    true,
  ]);
});

it("knows a browser again after a restart, with the same header for its changes, until its 12 hours are over", () => {
  const clock = manualClock();
  const file = keeper();
  const before = createBrowserSessions(clock, file);
  const { code } = before.makeLink();
  const secret = before.signIn(code)!;
  const unused = before.makeLink();
  clock.advance(hourMs);
  const after = createBrowserSessions(clock, file);
  expect(after.find(secret)).toEqual(before.find(secret));
  expect(after.signIn(unused.code)).toBeUndefined();
  expect(JSON.stringify(file.kept)).not.toContain(secret);
  clock.advance(11 * hourMs);
  expect(after.find(secret)).toBeUndefined();
});

it("keeps no sign-in longer than 12 hours, whatever the file or the wall clock says", () => {
  const clock = manualClock();
  const far = createBrowserSessions(clock, keeper([{ hash: "0".repeat(64), expiresAt: clock.now() + 1_000 * hourMs }]));
  const file = keeper();
  const secret = createBrowserSessions(clock, file).signIn(far.makeLink().code);
  expect(secret).toBeUndefined();
  const first = createBrowserSessions(clock, file);
  const signedIn = first.signIn(first.makeLink().code)!;
  clock.jumpWall(-100 * hourMs);
  const after = createBrowserSessions(clock, file);
  clock.advance(12 * hourMs - 1);
  expect(after.find(signedIn)).toBeDefined();
  clock.advance(1);
  expect(after.find(signedIn)).toBeUndefined();
});
