/** The common shape of a generated page. */
export function page(title: string, intro: string, sections: readonly string[]): string {
  return `# ${title}\n\n<!-- Made by "npm run generate" from src/; edit there. -->\n\n${intro}\n\n${sections.join("\n\n")}\n`;
}

export function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(header), line(header.map(() => "---")), ...rows.map(line)].join("\n");
}
