/** Types into the command palette and presses Enter once the list shows what is meant: a slow machine opens it late. */
import type { Page } from "playwright-core";
import { until } from "../flows/until.ts";

export async function enterInPalette(page: Page, text: string, meant: string): Promise<void> {
  await page.keyboard.press("Control+k");
  const field = page.locator(".palette-input:focus");
  await until(`${meant} is the chosen one of the palette`, async () => {
    await field.fill(text);
    const [active] = await page.locator("[data-active-item]").allInnerTexts();
    return active?.replaceAll(/\s+/g, " ").includes(meant);
  });
  await page.keyboard.press("Enter");
}
