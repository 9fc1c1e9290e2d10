/** What `npm pack` sends, and what it weighs on a user's disk. */
import { mkdtempDisposableSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { packInto } from "../../test/package/pack-once.ts";
import { installPackage } from "../../test/package/packed-package.ts";
import type { Bench } from "../bench.ts";

const mostMegabytes = 25;

export const packed: Bench = {
  name: "package",
  method:
    "npm pack in a copy of the repository, then npm install of the tarball into an empty project, as a user does it; counted, not timed.",
  async run() {
    using scratch = mkdtempDisposableSync(join(tmpdir(), "sylk-packed-"));
    const packedNow = await packInto(scratch.path);
    using _installed = await installPackage(packedNow);
    const { files, unpackedBytes, packedBytes } = packedNow;
    const megabytes = unpackedBytes / 1e6;
    return [
      { what: "files", value: files.length, unit: "files", rounds: [] },
      {
        what: "on disk",
        value: megabytes,
        unit: "MB",
        rounds: [],
        target: { text: `< ${mostMegabytes} MB`, met: megabytes < mostMegabytes },
      },
      { what: "packed", value: packedBytes / 1e6, unit: "MB", rounds: [] },
    ];
  },
};
