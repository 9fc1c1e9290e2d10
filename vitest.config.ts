/** One vitest project per suite; scripts/test-run/suites.ts holds the table. */
import { defineConfig } from "vitest/config";
import { suites } from "./scripts/test-run/suites.ts";

export default defineConfig({
  cacheDir: ".cache/vite",
  test: {
    projects: suites.map((suite) => ({
      test: {
        name: suite.name,
        include: suite.include,
        exclude: suite.exclude ?? [],
        setupFiles: [
          "scripts/test-run/measure-file.ts",
          "scripts/test-run/refuse-outbound.ts",
          ...(suite.setupFiles ?? []),
        ],
        ...(suite.globalSetup === undefined ? {} : { globalSetup: suite.globalSetup }),
        testTimeout: suite.testTimeoutSeconds * 1000,
        hookTimeout: suite.testTimeoutSeconds * 1000,
        // A test that waits in vain takes longer to fail; one that waits on a busy machine does not fail.
        expect: { poll: { timeout: (suite.testTimeoutSeconds * 1000) / 2 } },
        fileParallelism: suite.workers > 1,
        isolate: suite.sharesModules !== true,
        maxWorkers: suite.workers,
      },
    })),
  },
});
