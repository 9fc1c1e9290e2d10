/** Reading and writing files for the model: confined to the tree; every write holds a reservation first. */
import type { ModelTool } from "../../../orchestration/models/index.ts";
import { skillTool } from "../../skills/index.ts";
import { editFile, readFile, writeFile } from "../skills.ts";
import { confinedPath } from "./confined-path.ts";
import { readConfined, writeConfined } from "./open-confined.ts";

type Ports = {
  readonly tree: string;
  /** Resolves when this Engineer holds the path; throws with what the model can do about it. */
  readonly hold: (path: string, signal: AbortSignal) => Promise<void>;
};

const largestRead = 200_000;

export function fileTools({ tree, hold }: Ports): readonly ModelTool[] {
  return [
    skillTool(readFile, async ({ path }) => {
      const text = await readConfined(tree, path);
      return { content: text.slice(0, largestRead), truncated: text.length > largestRead };
    }),
    skillTool(writeFile, async ({ path, content }, { signal }) => {
      const confined = await confinedPath(tree, path);
      await hold(confined.path, signal);
      await writeConfined(tree, confined.path, { create: true, change: () => content });
      return { written: confined.path };
    }),
    skillTool(editFile, async ({ path, find, replace }, { signal }) => {
      const confined = await confinedPath(tree, path);
      await hold(confined.path, signal);
      await writeConfined(tree, confined.path, {
        create: false,
        change(text) {
          const places = text.split(find).length - 1;
          if (places !== 1)
            throw new Error(`the text to find occurs ${places} times in ${path}; it must occur exactly once`);
          return text.replace(find, () => replace);
        },
      });
      return { edited: confined.path };
    }),
  ];
}
