/**
 * Commands with what they write, in the folder /repo of ada, whose home is /home/ada.
 *
 *   "a.txt b"  these files    "src/"  the folder and all in it    "*.ts"  a glob    "=*.ts"  a file of that very name
 *   "?"        something about it cannot be known before it runs    "@"  git is asked what it would change
 *
 * A list stands where a name holds a blank.
 */
export type Commands = readonly (readonly [command: string, writes: string | readonly string[]])[];
