/** Every generated file by its path. */
import { commandPage } from "./command-page.ts";
import { commandSummaries } from "./command-summaries.ts";
import { errorPage } from "./error-page.ts";
import { eventPage } from "./event-page.ts";
import { integrationSchema, pluginFiles } from "./plugin-files.ts";
import { operationPage } from "./operation-page.ts";
import { operationRoutes } from "./operation-routes.ts";
import { settingPage } from "./setting-page.ts";
import { surfaceSummary } from "./surface-summary.ts";

export async function generatedFiles(): Promise<ReadonlyMap<string, string>> {
  return new Map([
    ["docs/reference/operations.md", await operationPage()],
    ["docs/reference/errors.md", errorPage()],
    ["docs/reference/events.md", eventPage()],
    ["docs/reference/settings.md", settingPage()],
    ["docs/reference/commands.md", await commandPage()],
    ["src/surfaces/cli/command-summaries.json", await commandSummaries()],
    ["src/surfaces/client/operation-routes.json", operationRoutes()],
    ["docs/reference/surface.golden.json", await surfaceSummary()],
    ["docs/reference/integration.schema.json", integrationSchema()],
    ...pluginFiles(),
  ]);
}
