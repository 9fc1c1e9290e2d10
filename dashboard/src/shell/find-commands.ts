/** Which commands a few typed letters mean: all words must occur; a name that begins with them comes first. */
export type PaletteCommand = {
  readonly key: string;
  readonly kind: string;
  readonly name: string;
  readonly run: () => void;
};

const most = 50;

export function findCommands(commands: readonly PaletteCommand[], text: string): readonly PaletteCommand[] {
  const sought = text.trim().toLowerCase();
  const parts = sought.split(/\s+/);
  const rank = ({ name, key, kind }: PaletteCommand): number => {
    const whole = `${name} ${key} ${kind}`.toLowerCase();
    if (!parts.every((part) => whole.includes(part))) return -1;
    return name.toLowerCase().startsWith(sought) ? 2 : name.toLowerCase().includes(sought) ? 1 : 0;
  };
  return commands
    .map((command) => ({ command, rank: rank(command) }))
    .filter(({ rank }) => rank >= 0)
    .sort((a, b) => b.rank - a.rank)
    .slice(0, most)
    .map(({ command }) => command);
}
