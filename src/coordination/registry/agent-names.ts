/** Readable names: short words that are easy to say and to tell apart in a status line. */
const words = [
  "heron",
  "otter",
  "lynx",
  "wren",
  "badger",
  "ibis",
  "marten",
  "osprey",
  "tapir",
  "vole",
  "crane",
  "stoat",
  "finch",
  "gecko",
  "bison",
  "raven",
  "civet",
  "dingo",
  "egret",
  "fossa",
  "gibbon",
  "hare",
  "jackal",
  "kestrel",
  "lemur",
  "magpie",
  "newt",
  "okapi",
  "plover",
  "quail",
  "robin",
  "shrew",
  "tern",
  "urchin",
  "viper",
  "walrus",
  "yak",
  "zebu",
  "alpaca",
  "bittern",
  "caracal",
  "dunlin",
  "ermine",
  "falcon",
  "gannet",
  "hoopoe",
  "impala",
  "jerboa",
  "kudu",
  "loris",
  "merlin",
  "nuthatch",
  "oryx",
  "pika",
  "quokka",
  "rook",
  "serval",
  "toucan",
  "vicuna",
  "wombat",
] as const;

/**
 * First free name; `isTaken` is asked in a fixed order, so equal histories give equal names. Where none is wanted it
 * begins behind the names that as many agents as are `known` have used up.
 */
export async function chooseName(
  wanted: string | undefined,
  known: number,
  isTaken: (name: string) => Promise<boolean>,
): Promise<string> {
  const bases = wanted === undefined ? words.map((_, index) => words[(index + known) % words.length]!) : [wanted];
  const first = wanted === undefined ? Math.floor(known / words.length) + 1 : 1;
  for (let round = first; ; round++) {
    for (const base of bases) {
      const name = round === 1 ? base : `${base.slice(0, 34)}-${round}`;
      if (!(await isTaken(name))) return name;
    }
  }
}
