/**
 * How sure a server's answer is. A server that was given no project, or has trouble with it, knows some files only and says
 * nothing of it: without a tsconfig.json the TypeScript server finds too few references.
 */
import { access } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import * as z from "zod";
import type { OpenServer } from "./start-server.ts";

/** The reasons why the answer may be incomplete; none: the project is loaded as it is set up. */
export async function doubts({ definition, tree, connection }: OpenServer, uri: string): Promise<readonly string[]> {
  const { name, projectFiles, projectOf } = definition;
  const { reports } = connection;
  const found: string[] = [];
  if (!reports.isLoaded()) found.push(`${name} still loads the project`);
  const trouble = reports.trouble();
  if (trouble !== undefined) found.push(`${name} reports: ${trouble}`);
  const file = fileURLToPath(uri);
  if (!(await hasProjectFile(file, tree, projectFiles)))
    found.push(
      `there is no ${projectFiles.join(" or ")} for ${relative(tree, file)}, so ${name} may know some files only`,
    );
  else if (projectOf === "tsserver" && !(await isInProject(file, connection).catch(() => false)))
    found.push(`the project's set-up does not include ${relative(tree, file)}, so ${name} may know some files only`);
  return found;
}

async function hasProjectFile(file: string, tree: string, names: readonly string[]): Promise<boolean> {
  if (names.length === 0) return true;
  for (let folder = dirname(file); folder.length >= tree.length; folder = dirname(folder)) {
    const looks = names.map((name) =>
      access(join(folder, name)).then(
        () => true,
        () => false,
      ),
    );
    if ((await Promise.all(looks)).includes(true)) return true;
    if (folder === dirname(folder)) return false;
  }
  return false;
}

const ProjectInfo = z.object({ body: z.object({ configFileName: z.string() }) });

/** Files outside every project get one that the server invents. */
async function isInProject(file: string, connection: OpenServer["connection"]): Promise<boolean> {
  const question = {
    command: "typescript.tsserverRequest",
    arguments: ["projectInfo", { file, needFileNameList: false }],
  };
  const said = ProjectInfo.safeParse(await connection.ask("workspace/executeCommand", question));
  return said.success && !said.data.body.configFileName.startsWith("/dev/null/inferred");
}
