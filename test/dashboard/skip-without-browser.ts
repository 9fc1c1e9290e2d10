/** Every test of this suite needs a browser; a machine without one counts them as skipped, with the reason. */
import { beforeEach } from "vitest";
import { findChromium } from "./find-chromium.ts";

beforeEach(({ skip }) => {
  skip(findChromium() === undefined, "there is no chromium in PATH (Debian: apt-get install chromium)");
});
