/**
 * The user agrees to a repository's settings, or takes that back; each is an entry of the audit.
 *
 * The agreement names the hash of the text that the user was shown: a file that changed meanwhile is not agreed to.
 */
import { invalidInput, type InputOf, type OutputOf, type UserCaller } from "../../contract/index.ts";
import { actorOf, type AuditRepository } from "../audit/index.ts";
import type { Clock } from "../clock/index.ts";
import type { Call } from "../operations/index.ts";
import { type Consents, InvalidSettings, type ProjectFile, resolveSettings, settingsFileOf } from "../config/index.ts";

export type TrustPorts = {
  readonly consents: Consents;
  readonly clock: Clock;
  readonly userFile: string;
};
type UserCall = Call<{ readonly audit: AuditRepository }, UserCaller>;

export async function trustSettings(
  { path, digest }: InputOf<"config.trust">,
  call: UserCall,
  ports: TrustPorts,
): Promise<OutputOf<"config.trust">> {
  const project = await projectAt(path, ports.userFile);
  if (project.digest !== digest)
    throw invalidInput("digest", "is not that of the file", {
      sentence: `${project.file} has changed since you looked at it; "sylk config trust" shows it as it is now`,
    });
  await audited("config.trusted", project.file, { digest, loosens: project.loosenings.map(({ key }) => key) }, call);
  ports.consents.give({ file: project.file, digest, at: ports.clock.now() });
  const loosens = project.loosenings.map(({ key, wanted, own }) => ({ key, value: String(wanted), own: String(own) }));
  return { file: project.file, digest, loosens };
}

export async function distrustSettings(
  { path }: InputOf<"config.distrust">,
  call: UserCall,
  { consents }: TrustPorts,
): Promise<OutputOf<"config.distrust">> {
  const file = fileIn(path);
  if (consents.of(file) === undefined) return { file, wasTrusted: false };
  await audited("config.distrusted", file, {}, call);
  return { file, wasTrusted: consents.takeBack(file) };
}

async function projectAt(path: string, userFile: string): Promise<ProjectFile> {
  const file = fileIn(path);
  try {
    const { project } = await resolveSettings({ userFile, projectFile: file, env: {}, flags: {} });
    if (project !== undefined) return project;
  } catch (error) {
    if (!(error instanceof InvalidSettings)) throw error;
    throw invalidInput("path", "has settings that are wrong", { sentence: error.message, cause: error });
  }
  throw invalidInput("path", "has no settings", { sentence: `There is no ${file}, so there is nothing to agree to` });
}

function fileIn(path: string): string {
  try {
    return settingsFileOf(path);
  } catch (cause) {
    throw invalidInput("path", "is not a folder", { sentence: `There is no folder ${path}`, cause });
  }
}

async function audited(
  action: string,
  subject: string,
  details: Readonly<Record<string, unknown>>,
  { caller, transact }: UserCall,
): Promise<void> {
  await transact("settings", (tx) =>
    tx.audit.append({ actor: actorOf(caller), action, subject, project: caller.project?.id, details }),
  );
}
