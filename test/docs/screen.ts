/**
 * A terminal's screen, from what programs wrote to it: text with its colours, at the place where it ended up.
 *
 *   screenOf("\u001b[32mok\u001b[39m\r\n", 80) -> [[{ text: "ok", style: { colour: "green" } }]]
 *
 * Knows what our own output and a shell use: line ends, moves of the cursor, erasing, colours. Nothing scrolls away.
 */
export type Style = { readonly bold?: true; readonly dim?: true; readonly colour?: Colour };
export type Colour = "red" | "green" | "yellow" | "blue" | "magenta" | "cyan";
export type Piece = { readonly text: string; readonly style: Style };

type Cell = { readonly character: string; readonly style: Style };

const colours: readonly Colour[] = ["red", "green", "yellow", "blue", "magenta", "cyan"];
const blank: Cell = { character: " ", style: {} };
/** A control sequence with its numbers and its letter, one for the terminal's title and marks, or one character. */
const token = /\u001b\[([\d;?]*)([A-Za-z])|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)|\u001b./gsu;

export function screenOf(output: string, columns: number): readonly (readonly Piece[])[] {
  const rows: Cell[][] = [[]];
  let [row, column, style] = [0, 0, {} as Style];
  const put = (character: string): void => {
    if (column === columns) [row, column] = [row + 1, 0];
    while (rows.length <= row) rows.push([]);
    const cells = rows[row]!;
    while (cells.length < column) cells.push(blank);
    cells[column++] = { character, style };
  };
  const control = (letter: string, numbers: readonly number[]): void => {
    const [first = 0] = numbers;
    if (letter === "A") row = Math.max(0, row - Math.max(1, first));
    else if (letter === "B") row += Math.max(1, first);
    else if (letter === "C") column = Math.min(columns - 1, column + Math.max(1, first));
    else if (letter === "D") column = Math.max(0, column - Math.max(1, first));
    else if (letter === "G") column = Math.max(1, first) - 1;
    else if (letter === "K") rows[row]?.splice(first === 2 ? 0 : column);
    else if (letter === "J") {
      rows[row]?.splice(column);
      rows.splice(row + 1);
    } else if (letter === "m") for (const code of numbers.length === 0 ? [0] : numbers) style = styled(style, code);
  };
  const write = (text: string): void => {
    for (const character of text) {
      if (character === "\n") row++;
      else if (character === "\r") column = 0;
      else if (character === "\b") column = Math.max(0, column - 1);
      else if (character === "\t") column = Math.min(columns - 1, (Math.floor(column / 8) + 1) * 8);
      else if (character >= " ") put(character);
    }
  };
  let read = 0;
  for (const { 0: sequence, 1: numbers, 2: letter, index } of output.matchAll(token)) {
    write(output.slice(read, index));
    if (letter !== undefined) control(letter, numbersIn(numbers!));
    read = index + sequence.length;
  }
  write(output.slice(read));
  while (rows.length <= row) rows.push([]);
  return rows.map((cells) => piecesOf(cells));
}

/** The screen's text without its colours; what ends a line unseen is left out. */
export function textOf(screen: readonly (readonly Piece[])[]): string {
  const lines = screen.map((pieces) =>
    pieces
      .map(({ text }) => text)
      .join("")
      .trimEnd(),
  );
  return lines.join("\n").trimEnd();
}

function numbersIn(text: string): readonly number[] {
  return text === "" || text.startsWith("?") ? [] : text.split(";").map(Number);
}

function styled(style: Style, code: number): Style {
  const { bold, dim, colour } = style;
  const [strength, tone] = [{ ...(bold && { bold }), ...(dim && { dim }) }, colour && { colour }];
  if (code === 0) return {};
  if (code === 1) return { ...style, bold: true };
  if (code === 2) return { ...style, dim: true };
  if (code === 22) return { ...tone };
  if (code === 39) return strength;
  const chosen = colours[(code >= 90 ? code - 60 : code) - 31];
  return chosen === undefined ? style : { ...strength, colour: chosen };
}

function piecesOf(cells: readonly Cell[]): readonly Piece[] {
  const pieces: { text: string; style: Style }[] = [];
  for (const { character, style } of cells) {
    const last = pieces.at(-1);
    if (last !== undefined && JSON.stringify(last.style) === JSON.stringify(style)) last.text += character;
    else pieces.push({ text: character, style });
  }
  return pieces;
}
