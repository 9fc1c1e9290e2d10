/** Attacks on a held file, and whether this machine can be asked to withstand them. */
import { spawnSync } from "node:child_process";

/** Found out without our own helper: where it fails although the machine could, tests must fail and not be skipped. */
export const noNamespaces = ["perl -e 1", "unshare -Urm true", ...(process.getuid?.() === 0 ? ["unshare -m true"] : [])]
  .map((command) => ({ command, ...spawnSync("sh", ["-c", command], { encoding: "utf8" }) }))
  .filter(({ status }) => status !== 0)
  .map(({ command, stderr }) => `"${command}" does not work here: ${stderr.trim()}`)
  .join("; ");

/** Shell commands that change, move or uncover `src/held.ts` of a repository wherever nothing keeps them from it. */
export const attacks: readonly string[] = [
  "echo lost > src/held.ts",
  "cd src && echo lost >> held.ts",
  "sh -c 'cd src; exec sh -c \"echo lost > ./held.ts\"'",
  "sed -i s/uncommitted/lost/ src/held.ts",
  "cp src/free.ts src/held.ts",
  "mv src/free.ts src/held.ts",
  "mv src/held.ts src/other.ts",
  "rm -f src/held.ts",
  "rm -rf src",
  "mv src away; mkdir src; echo lost > src/held.ts",
  'python3 -c \'open("src/held.ts", "w").write("lost")\'',
  "perl -e 'open F, q(>), q(src/held.ts); print F q(lost)'",
  "dd if=/dev/zero of=src/held.ts bs=1 count=3",
  "truncate -s 0 src/held.ts",
  "ln -f src/free.ts src/held.ts",
  "ln src/held.ts src/second.ts && echo lost > src/second.ts",
  "ln -s held.ts src/link.ts; echo lost > src/link.ts",
  "git checkout -- .",
  "git restore src/held.ts",
  "git reset -q --hard",
  "git stash -q",
  "git clean -fdxq; git rm -qf src/held.ts",
  "chmod 777 src/held.ts; echo lost > src/held.ts",
  "umount src/held.ts; echo lost > src/held.ts",
  "umount -l $PWD/src; echo lost > src/held.ts",
  "mount -o remount,bind,rw src/held.ts; echo lost > src/held.ts",
  "unshare -Urm sh -c 'umount -l src/held.ts; mount -o remount,bind,rw $PWD/src/held.ts; echo lost > src/held.ts'",
  "mkdir -p m; unshare -Urm sh -c 'mount --bind . m && echo lost > m/src/held.ts'",
  "mkdir -p m; mount --bind . m && echo lost > m/src/held.ts",
  'nsenter -t 1 -m sh -c "echo lost > $PWD/src/held.ts"',
  "echo lost > /proc/1/root$PWD/src/held.ts",
  "nohup setsid sh -c 'echo lost > src/held.ts' & wait",
];

/**
 * Any process of root outside that has no capabilities, such as bubblewrap's own, is a door for another command of root:
 * there it is an exception, which docs/enforcement.md names. By the scratch tree's own full name: nothing else may be hit.
 */
const byOtherProcesses = "for p in /proc/[0-9]*; do echo lost > $p/root$PWD/src/held.ts; done";

export function attacksAs(uid: number): readonly string[] {
  return uid === 0 ? attacks : [...attacks, byOtherProcesses];
}

/** Found out without our own words, as above. */
export const noSandbox = ((): string => {
  const command = "bwrap --ro-bind / / --unshare-user-try --unshare-pid --unshare-net --proc /proc --dev /dev true";
  const { status, stderr } = spawnSync("sh", ["-c", command], { encoding: "utf8" });
  if (status === 127) return "bwrap is not on the PATH (Debian: apt-get install bubblewrap)";
  return status === 0 ? "" : `bubblewrap does not work here: ${stderr.trim()}`;
})();
