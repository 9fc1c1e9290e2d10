/** Operations by the name a tool call uses; every operation has one, listed or not. */
import { allOperations, type Operation, type OperationName, SkillRole } from "../../contract/index.ts";

export type NamedOperation = Operation & { readonly name: OperationName };

export function toolNameOf({ name, mcp }: Pick<Operation, "name" | "mcp">): string {
  return mcp?.name ?? name.replaceAll(/[.-]/g, "_");
}

const byToolName = new Map(allOperations().map((operation) => [toolNameOf(operation), operation]));

export function operationOfTool(toolName: string): NamedOperation | undefined {
  return byToolName.get(toolName);
}

/** Tools of roles are named after them; whether the role has such a skill the daemon says. */
export function roleOfTool(toolName: string): SkillRole | undefined {
  return SkillRole.options.find((role) => toolName.startsWith(`${role}_`));
}
