/** Reading and writing files for the model: confined to the tree; every write holds a reservation first. */
import * as z from "zod";
import type { ModelTool } from "../../../orchestration/models/index.ts";
import { confinedPath } from "./confined-path.ts";
import { readConfined, writeConfined } from "./open-confined.ts";

type Ports = {
  readonly tree: string;
  /** Resolves when this Engineer holds the path; throws with what the model can do about it. */
  readonly hold: (path: string, signal: AbortSignal) => Promise<void>;
};

const largestRead = 200_000;
const Path = z.string().min(1).max(1024).describe("Relative to the repository root");
const ReadInput = z.object({ path: Path });
const WriteInput = z.object({ path: Path, content: z.string().max(1_000_000) });
const EditInput = z.object({
  path: Path,
  find: z.string().min(1).describe("Text that occurs exactly once"),
  replace: z.string(),
});

export function fileTools({ tree, hold }: Ports): readonly ModelTool[] {
  return [
    {
      name: "read_file",
      description: "Read a text file",
      input: ReadInput,
      async run(input) {
        const text = await readConfined(tree, ReadInput.parse(input).path);
        return { content: text.slice(0, largestRead), truncated: text.length > largestRead };
      },
    },
    {
      name: "write_file",
      description: "Write a whole file, new or replaced",
      input: WriteInput,
      async run(input, { signal }) {
        const { path, content } = WriteInput.parse(input);
        const confined = await confinedPath(tree, path);
        await hold(confined.path, signal);
        await writeConfined(tree, confined.path, { create: true, change: () => content });
        return { written: confined.path };
      },
    },
    {
      name: "edit_file",
      description: "Replace one piece of text in a file",
      input: EditInput,
      async run(input, { signal }) {
        const { path, find, replace } = EditInput.parse(input);
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
      },
    },
  ];
}
