/**
 * Brings every installation of this home up to this version, in place. What hooks start stays as it was written
 * down, to the letter: clients trust the very text.
 */
import { existsSync } from "node:fs";
import type { InstallableClientV1 } from "../../contract/index.ts";
import { defined } from "../../platform/defined.ts";
import type { HomePaths } from "../../platform/home/index.ts";
import type { Plan } from "./act.ts";
import { planInstall } from "./install-client.ts";
import { type Installed, readRecords } from "./install-record.ts";
import { clientPlaces, type Env, type InstallTerms } from "./install-terms.ts";

type UpgradeTerms = {
  readonly clients: readonly InstallableClientV1[];
  readonly env: Env;
  readonly paths: HomePaths;
};

export function planUpgrade(terms: UpgradeTerms): Plan {
  const found = readRecords(terms.paths).map((record) => ({ record, again: termsOf(record, terms) }));
  const planned = found.flatMap(({ again }) => (again === undefined ? [] : [{ again, plan: planInstall(again) }]));
  const upgradable = planned.filter(({ plan }) => plan.refusal === undefined);
  const left = found.filter(({ again }) => again === undefined);
  const refused = planned.flatMap(({ plan }) => plan.refusal ?? []);
  const steps = upgradable.flatMap(({ plan }) => plan.steps);
  return {
    steps: steps.filter(({ file }, index) => steps.findIndex((other) => other.file === file) === index),
    notes: [
      ...left.map(
        ({ record }) =>
          `${record.settings.file} was left alone: its project is gone or elsewhere; "sylk install ${record.client}" there mends it`,
      ),
      ...refused.map(({ message }) => message),
    ],
    apply() {
      // Planned again one after the other: each writes down what the next one must know.
      for (const { again } of upgradable) planInstall(again).apply();
    },
  };
}

/** Undefined where it is no longer known what was installed, or it would go elsewhere today. */
function termsOf(record: Installed, { clients, env, paths }: UpgradeTerms): InstallTerms | undefined {
  const client = clients.find(({ name }) => name === record.client);
  const { scope, tree } = record;
  if (client === undefined || scope === undefined || tree === undefined || !existsSync(tree)) return undefined;
  const isThere = client.settingsFile(scope, clientPlaces(tree, env)) === record.settings.file;
  return isThere
    ? { client, scope, cwd: tree, env, paths, keepsLaunch: true, ...defined({ followLinks: record.followLinks }) }
    : undefined;
}
