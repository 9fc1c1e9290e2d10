/** The folder in which the program was started. Where it was removed meanwhile, the shell still knows its name. */
export function currentFolder(env: NodeJS.ProcessEnv): string {
  try {
    return process.cwd();
  } catch {
    return env["PWD"] ?? "/";
  }
}
