/** The charts as one SVG file: small multiples, one per figure, over the number of agents. Text only, nothing executes. */
import type { SimulationReport } from "../../../contract/index.ts";
import { chartedFigures, type Figure } from "./figures.ts";

const width = 360;
const height = 200;
const margin = { left: 16, right: 16, top: 36, bottom: 34 };

export function drawSvg({ terms, measurements, tipping }: SimulationReport): string {
  const charts = chartedFigures.map((figure, index) => {
    const points = measurements.map((row) => ({ x: row.agents, y: figure.of(row) }));
    return `<g transform="translate(${(index % 2) * width} ${40 + Math.floor(index / 2) * height})">${chart(figure, points)}</g>`;
  });
  const rows = Math.ceil(chartedFigures.length / 2);
  const title = `sylk simulate: ${terms.rhythmName}, ${terms.minutes} min, seed ${terms.seed}`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${2 * width} ${60 + rows * height}" font-family="sans-serif" font-size="11">
<title>${escaped(title)}</title><desc>${escaped(tipping.sentence)}</desc>
<rect width="100%" height="100%" fill="white"/>
<text x="16" y="24" font-size="14" font-weight="bold">${escaped(title)}</text>
${charts.join("\n")}
</svg>
`;
}

type Point = { readonly x: number; readonly y: number };

/** Agent counts are set apart evenly: they are chosen to double, not to be equally far from each other. */
function chart({ title, text }: Figure, points: readonly Point[]): string {
  const most = Math.max(...points.map(({ y }) => y)) || 1;
  const step = points.length < 2 ? 0 : (width - margin.left - margin.right) / (points.length - 1);
  const placed = points.map(({ x, y }, index) => ({
    agents: x,
    value: y,
    left: round(margin.left + index * step),
    top: round(height - margin.bottom - (y / most) * (height - margin.top - margin.bottom)),
  }));
  const marks = placed.map(
    ({ agents, value, left, top }) =>
      `<circle cx="${left}" cy="${top}" r="3" fill="#2563eb"/><text x="${left}" y="${round(top - 7)}" text-anchor="middle">${escaped(text(value))}</text><text x="${left}" y="${height - 16}" text-anchor="middle" fill="#666">${agents}</text>`,
  );
  return `<text x="${margin.left}" y="16" font-weight="bold">${escaped(title)}</text><polyline fill="none" stroke="#2563eb" stroke-width="2" points="${placed.map(({ left, top }) => `${left},${top}`).join(" ")}"/>${marks.join("")}`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
