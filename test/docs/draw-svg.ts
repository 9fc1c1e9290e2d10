/**
 * A terminal's screen as a picture: text in a monospace font on a panel of its own, light or dark as the reader's system is.
 *
 * Each piece is put at its column and told how wide it is, so that columns stay in line whatever font is there. The same
 * screen gives the same bytes.
 */
import type { Piece, Style } from "./screen.ts";

const [charWidth, lineHeight, margin, bar] = [8.4, 19, 16, 28];
const light = { panel: "#f6f8fa", edge: "#d0d7de", text: "#1f2328", dim: "#656d76" };
const dark = { panel: "#161b22", edge: "#30363d", text: "#e6edf3", dim: "#8b949e" };
const lightTones = {
  red: "#cf222e",
  green: "#116329",
  yellow: "#7d4e00",
  blue: "#0550ae",
  magenta: "#6639ba",
  cyan: "#1b7c83",
};
const darkTones = {
  red: "#ff7b72",
  green: "#56d364",
  yellow: "#e3b341",
  blue: "#79c0ff",
  magenta: "#d2a8ff",
  cyan: "#56d4dd",
};

export function drawSvg(
  screen: readonly (readonly Piece[])[],
  { columns, title }: { columns: number; title: string },
): string {
  const width = Math.ceil(columns * charWidth + 2 * margin);
  const height = screen.length * lineHeight + 2 * margin + bar;
  const lines = screen.flatMap((pieces, row) => drawLine(pieces, bar + margin + row * lineHeight + 14));
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" xml:space="preserve">`,
    `<title>${escaped(title)}</title>`,
    "<style>",
    ...rules({ ...light, ...lightTones }),
    `@media (prefers-color-scheme: dark) { ${rules({ ...dark, ...darkTones }).join(" ")} }`,
    'text { font: 14px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; white-space: pre }',
    ".bold { font-weight: bold }",
    "</style>",
    `<rect class="panel" x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="8"/>`,
    ...[0, 1, 2].map((dot) => `<circle class="dot" cx="${margin + 6 + dot * 18}" cy="${bar / 2 + 4}" r="5"/>`),
    ...lines,
    "</svg>",
  ].join("\n")}\n`;
}

function rules({ panel, edge, text, dim, ...tones }: typeof light & typeof lightTones): readonly string[] {
  return [
    `.panel { fill: ${panel}; stroke: ${edge} }`,
    `.dot { fill: ${edge} }`,
    `text { fill: ${text} }`,
    `.dim { fill: ${dim} }`,
    ...Object.entries(tones).map(([name, colour]) => `.${name} { fill: ${colour} }`),
  ];
}

/** Words apart: spaces at the ends of a piece are neither drawn nor measured. */
function drawLine(pieces: readonly Piece[], y: number): readonly string[] {
  let column = 0;
  return pieces.flatMap(({ text, style }) => {
    const start = column + (text.length - text.trimStart().length);
    column += [...text].length;
    const seen = text.trim();
    if (seen === "") return [];
    const place = `x="${round(margin + start * charWidth)}" y="${y}" textLength="${round([...seen].length * charWidth)}"`;
    return [`<text ${place} lengthAdjust="spacingAndGlyphs"${classOf(style)}>${escaped(seen)}</text>`];
  });
}

function classOf({ bold, dim, colour }: Style): string {
  const names = [bold && "bold", dim && "dim", colour].filter((name) => typeof name === "string");
  return names.length === 0 ? "" : ` class="${names.join(" ")}"`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
