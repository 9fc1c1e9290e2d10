import { expect, it } from "vitest";
import { plainArgv } from "./plain-argv.ts";

it.each([
  ["npm test", ["npm", "test"]],
  ["  node   --test  ", ["node", "--test"]],
  ["git commit -m 'two words'", ["git", "commit", "-m", "two words"]],
  ['echo "a b" c\\ d', ["echo", "a b", "c d"]],
  ["make -j4 CC=gcc", ["make", "-j4", "CC=gcc"]],
])("splits %s as a shell would", (text, argv) => {
  expect(plainArgv(text)).toEqual(argv);
});

it.each([
  "",
  "   ",
  "a && b",
  "a; b",
  "a | b",
  "a &",
  "a > file",
  "a < file",
  "CC=gcc make",
  "echo $HOME",
  'echo "$HOME"',
  "echo `id`",
  "echo $(id)",
  "ls *.ts",
  "ls ~/x",
  "ls {a,b}",
  "(a)",
  "if true; then a; fi",
  "echo 'open",
  "a\nb",
])("refuses %j, which needs a shell", (text) => {
  expect(plainArgv(text)).toBeUndefined();
});
