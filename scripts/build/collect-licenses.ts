/**
 * Collects the licence of every npm package inside the bundle: a copy comes with its terms. `further` are notices of
 * copied files.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const RULE = "-".repeat(80);

export function collectLicenses(
  root: string,
  bundledPaths: readonly string[],
  further: readonly string[] = [],
): Uint8Array {
  const folders = new Set(bundledPaths.map(packageFolder).filter((folder) => folder !== undefined));
  const notices = [...folders].map((folder) => readNotice(root, folder));
  const missing = notices.filter((notice) => notice.license === undefined && notice.text === undefined);
  if (missing.length > 0) {
    const names = missing.map((notice) => notice.name).join(", ");
    throw new Error(`bundled without any licence: ${names}. Replace the package or ask its author.`);
  }
  const sections = notices
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map(
      (notice) =>
        `${notice.name}\nLicence: ${notice.license ?? "see text"}\n\n${notice.text ?? "(no text in the package)"}\n`,
    );
  return Buffer.from(
    `Packages contained in this distribution, with their licences.\n\n${[...sections, ...further].join(`\n${RULE}\n\n`)}`,
  );
}

/** `node_modules/a/node_modules/@b/c/lib/d.js` belongs to `node_modules/a/node_modules/@b/c`. */
function packageFolder(path: string): string | undefined {
  return /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0];
}

function readNotice(
  root: string,
  folder: string,
): { name: string; license: string | undefined; text: string | undefined } {
  const manifest = JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8")) as Record<string, unknown>;
  const file = readdirSync(join(root, folder)).find((name) => /^(licen[cs]e|copying)/i.test(name));
  const text =
    file !== undefined && existsSync(join(root, folder, file))
      ? readFileSync(join(root, folder, file), "utf8").trim()
      : undefined;
  const license = typeof manifest["license"] === "string" ? manifest["license"] : undefined;
  return { name: `${String(manifest["name"])} ${String(manifest["version"])}`, license, text };
}
