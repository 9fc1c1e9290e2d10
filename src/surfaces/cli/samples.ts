/** The samples in the package: a small repository and a scenario. */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const sampleRequest = "Add percentage discounts to the cart and show them on a receipt";

export function sampleShop(): string {
  return join(samplesFolder(), "shop");
}

export function sampleScenario(): string {
  return join(samplesFolder(), "scenarios", "discounts.yaml");
}

/** Beside `src` in a checkout, beside `dist` in a package. */
function samplesFolder(): string {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    if (existsSync(join(folder, "samples", "shop"))) return join(folder, "samples");
    if (dirname(folder) === folder)
      throw new Error("the samples are missing from this installation; install Sylk again");
  }
}
