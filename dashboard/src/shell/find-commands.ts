/** Which commands a few typed letters mean: all words must occur; a name that begins with them comes first. */
export type PaletteCommand = {
  readonly key: string;
  readonly kind: string;
  readonly name: string;
  readonly run: () => void;
};

/** More rows make the palette slow to open: each is registered with the list. */
const most = 20;

export type FoundCommands = { readonly shown: readonly PaletteCommand[]; readonly more: number };

export function findCommands(commands: readonly PaletteCommand[], text: string): FoundCommands {
  const sought = text.trim().toLowerCase();
  const parts = sought.split(/\s+/);
  const rank = ({ name, key, kind }: PaletteCommand): number => {
    const whole = `${name} ${key} ${kind}`.toLowerCase();
    if (!parts.every((part) => whole.includes(part))) return -1;
    return name.toLowerCase().startsWith(sought) ? 2 : name.toLowerCase().includes(sought) ? 1 : 0;
  };
  const found = commands
    .map((command) => ({ command, rank: rank(command) }))
    .filter(({ rank }) => rank >= 0)
    .sort((a, b) => b.rank - a.rank);
  return { shown: found.slice(0, most).map(({ command }) => command), more: Math.max(0, found.length - most) };
}
