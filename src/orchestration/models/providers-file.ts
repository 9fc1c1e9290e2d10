/** Providers and their keys in one file of the home, readable by the user alone, replaced as a whole. */
import { readFile, rename, writeFile } from "node:fs/promises";
import * as z from "zod";
import { DomainError, type Provider } from "../../contract/index.ts";
import { defined } from "../../platform/defined.ts";
import { ProviderConfig } from "./provider-config.ts";

const ProvidersFile = z.object({
  default: z.string().optional(),
  providers: z.array(ProviderConfig),
  keys: z.record(z.string(), z.string()),
});
type ProvidersFile = z.infer<typeof ProvidersFile>;

export type ProviderWithKey = { readonly config: ProviderConfig; readonly apiKey: string | undefined };

export type Providers = {
  list(): Promise<readonly Provider[]>;
  add(config: ProviderConfig, key: string | undefined, makeDefault: boolean): Promise<Provider>;
  remove(name: string): Promise<void>;
  /** The named one, or the default one. */
  choose(name: string | undefined): Promise<ProviderWithKey>;
};

type ProviderPorts = {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Told every key that is configured, whenever the file is read: they must not be written anywhere else. */
  readonly onKeys?: (...keys: readonly (string | undefined)[]) => void;
};

export function providersIn(file: string, { env, onKeys = () => {} }: ProviderPorts): Providers {
  const read = async (): Promise<ProvidersFile> => {
    const found = await readProviders(file);
    onKeys(...Object.values(found.keys), ...found.providers.map(({ keyVariable = "" }) => env[keyVariable]));
    return found;
  };
  let last: Promise<unknown> = Promise.resolve();
  /** A change reads the file and replaces it: two at once would lose one of them. */
  const inTurn = <T>(change: () => Promise<T>): Promise<T> => {
    const done = last.then(change);
    last = done.catch(() => {}); // its caller gets the error
    return done;
  };
  return {
    list: async () => viewAll(await read(), env),
    add: (config, key, makeDefault) =>
      inTurn(async () => {
        const known = await read();
        const { [config.name]: oldKey, ...otherKeys } = known.keys;
        // Without a new key the old one stays, unless a variable takes its place.
        const ownKey =
          key ?? (config.keyVariable === undefined && Object.hasOwn(known.keys, config.name) ? oldKey : undefined);
        const others = known.providers.filter(({ name }) => name !== config.name);
        const isDefault = makeDefault || known.default === undefined || others.length === 0;
        await write(file, {
          ...(isDefault ? { default: config.name } : { default: known.default }),
          providers: [...others, config],
          keys: { ...otherKeys, ...(ownKey === undefined ? {} : { [config.name]: ownKey }) },
        });
        return viewAll(await read(), env).find(({ name }) => name === config.name)!;
      }),
    remove: (name) =>
      inTurn(async () => {
        const known = await read();
        if (!known.providers.some((provider) => provider.name === name)) throw notFound(name, known);
        const { [name]: _key, ...keys } = known.keys;
        const providers = known.providers.filter((provider) => provider.name !== name);
        await write(file, {
          ...(known.default === name ? { default: providers[0]?.name } : { default: known.default }),
          providers,
          keys,
        });
      }),
    async choose(name) {
      const known = await read();
      const wanted = name ?? known.default;
      if (wanted === undefined) throw missing();
      const config = known.providers.find((provider) => provider.name === wanted);
      if (config === undefined) throw notFound(wanted, known);
      return { config, apiKey: keyOf(config, known, env) };
    },
  };
}

function keyOf(
  { name, keyVariable }: ProviderConfig,
  { keys }: ProvidersFile,
  env: Readonly<Record<string, string | undefined>>,
): string | undefined {
  if (keyVariable === undefined) return Object.hasOwn(keys, name) ? keys[name] : undefined;
  const key = env[keyVariable];
  if (key) return key;
  throw new DomainError(
    "provider.missing",
    `The key of ${name} should be in ${keyVariable}, which the daemon does not have; run "sylk down" and continue in a shell that has it, or "sylk provider add ${name} … --key -"`,
    { details: { provider: name, variable: keyVariable } },
  );
}

function missing(): DomainError {
  return new DomainError(
    "provider.missing",
    "No model provider is configured. Add one: sylk provider add claude --kind anthropic --model <model> --key-variable ANTHROPIC_API_KEY. Or try it without: add --rehearse, and a scripted model plays the sample scenario",
    { details: { add: "sylk provider add", rehearse: "--rehearse" } },
  );
}

function notFound(name: string, { providers }: ProvidersFile): DomainError {
  const known = providers.map((provider) => provider.name);
  return new DomainError("provider.not-found", `There is no provider "${name}"; known: ${known.join(", ") || "none"}`, {
    details: { name, known },
  });
}

function viewAll({ default: chosen, providers, keys }: ProvidersFile, env: ProviderPorts["env"]): readonly Provider[] {
  return providers.map(({ name, kind, model, baseUrl, keyVariable }) => ({
    name,
    kind,
    model,
    ...defined({ baseUrl }),
    key: keyVariable ?? (Object.hasOwn(keys, name) ? "file" : "none"),
    isDefault: name === chosen,
    ...(keyVariable === undefined || env[keyVariable]
      ? {}
      : { problem: `its key should be in ${keyVariable}, which the daemon does not have` }),
  }));
}

async function readProviders(file: string): Promise<ProvidersFile> {
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return { providers: [], keys: {} };
    throw error;
  }
  const parsed = ProvidersFile.safeParse(jsonOf(text));
  if (!parsed.success)
    throw new DomainError(
      "settings.invalid",
      `${file} cannot be understood; correct it or delete it and add the providers again`,
      { details: { problems: z.prettifyError(parsed.error) } },
    );
  return parsed.data;
}

/** A file that is not JSON is not a providers file either. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function write(file: string, content: ProvidersFile): Promise<void> {
  const fresh = `${file}.${process.pid}`;
  await writeFile(fresh, `${JSON.stringify(content, undefined, 2)}\n`, { mode: 0o600 });
  await rename(fresh, file);
}
