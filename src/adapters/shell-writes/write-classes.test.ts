/** Classes of constructs by which a file is written under another name, later, or not at all; each with commands of its kind. */
import { describe, expect, it } from "vitest";
import { mayMatch } from "./follow-links.ts";
import { writeTargets } from "./write-targets.ts";

const files: Readonly<Record<string, string>> = {
  "/repo/src/a.ts": "export {};\n",
  "/repo/README.md": "# Read\n",
  "/repo/config/files.txt": "src/a.ts\nsrc/b.ts\n",
  "/repo/scripts/make.mjs":
    'import fs from "node:fs";\nfs.writeFileSync(new URL("../src/a.ts", import.meta.url), "");\n',
  "/repo/scripts/make.py": 'open("src/a.ts", "w")\n',
  "/repo/scripts/make.pl": 'unlink "src/a.ts";\n',
  "/repo/scripts/print.mjs":
    'import { readFileSync } from "node:fs";\nconsole.log(readFileSync("src/a.ts", "utf8"));\n',
};
const folders = new Set(["/repo", "/repo/src", "/repo/scripts"]);

function judged(command: string) {
  const found = writeTargets(command, {
    cwd: "/repo",
    env: { HOME: "/home/ada" },
    read: (path) => files[path],
    kindOf: (path) => (path in files ? "file" : folders.has(path) ? "folder" : undefined),
  });
  const isWritten = found.targets.some(({ path, isPattern }) =>
    isPattern ? mayMatch(path, "/repo/src/a.ts") : path === "/repo/src/a.ts",
  );
  const isUnknown = found.unknown.length + found.programs.length > 0;
  return { ...found, says: isWritten ? "written" : isUnknown ? "unknown" : "nothing" };
}

type Class = {
  readonly written?: readonly string[];
  readonly unknown?: readonly string[];
  readonly nothing?: readonly string[];
};

const classes: Readonly<Record<string, Class>> = {
  "perl edits in place from inside the code, whatever gives it its files": {
    written: [
      `perl -e 'for my $f (<src/*.ts>) { local @ARGV = ($f); local $^I = ""; while (<>) { print } }'`,
      `perl -e '@ARGV = glob("src/*.ts"); $^I = ".bak"; print while <>'`,
      `perl -e 'local ($^I, @ARGV) = ("", "src/a.ts"); print while <>'`,
      `perl -MEnglish -e '$INPLACE_EDIT = ""; @ARGV = ("src/a.ts"); print while <>'`,
      `perl -e 'push @ARGV, "src/a.ts"; $^I = ""; print while <>'`,
    ],
    nothing: [`perl -e '@ARGV = ("src/a.ts"); print while <>'`],
  },
  "code that runs another file is that file's code, in its own folder": {
    written: [
      `node -e 'import("./scripts/make.mjs")'`,
      `node --input-type=module -e 'import "./scripts/make.mjs"'`,
      `node -e 'require("./scripts/make")'`,
      `python3 -c 'import runpy; runpy.run_path("scripts/make.py")'`,
      `python3 -c 'import scripts.make'`,
      `perl -e 'do "./scripts/make.pl"'`,
      `perl -e 'require "./scripts/make.pl"'`,
    ],
    unknown: [
      `node -e 'require("./scripts/absent")'`,
      `ruby -e 'require_relative "lib/absent"'`,
      `php -r 'include "lib/absent.php";'`,
      `lua -e 'dofile("absent.lua")'`,
      `Rscript -e 'source("absent.R")'`,
      `node -e 'import(process.argv[1])' "$X"`,
    ],
    nothing: [`node -e 'import("./scripts/print.mjs")'`, `node -e 'require("./package.json").name'`],
  },
  "a link that the line makes is the file that it leads to": {
    written: [
      `node -e 'fs.symlinkSync("../src/a.ts", "docs/l.ts"); fs.writeFileSync("docs/l.ts", "")'`,
      `python3 -c 'import os; os.link("src/a.ts", "/tmp/l.ts"); open("/tmp/l.ts", "w")'`,
      `python3 -c 'from pathlib import Path; p = Path("docs/l"); p.symlink_to("../src/a.ts"); p.write_text("")'`,
      `perl -e 'symlink "src/a.ts", "l.ts"; open my $f, ">", "l.ts"'`,
      `ln -s "$PWD/src/a.ts" /tmp/l.$$ && echo >> /tmp/l.$$`,
      "ln -s src s; : > s/a.ts",
      'ln -s src/a.ts l.ts; for f in l*.ts; do : > "$f"; done',
      "cp -l src/a.ts b.ts; truncate -s 0 b.ts",
      'cp -s "$PWD/src/a.ts" /tmp/b.ts && tee /tmp/b.ts < /dev/null',
      "cp -al src copy && echo > copy/a.ts",
    ],
    unknown: ['ln -s "$WHERE" l.ts; echo > l.ts', 'ln "$WHERE" l.ts; sed -i d l.ts'],
    nothing: [],
  },
  "a link that is removed leaves the file as it is": {
    written: ["ln -s src s; rm s/a.ts"],
    nothing: [],
  },
  "find finds links that lead elsewhere": {
    unknown: [
      `find links -lname '*a.ts' -exec sh -c 'echo >> "$1"' _ {} \\;`,
      "find links -xtype f -exec truncate -s 0 {} +",
      "find links -type l -execdir tee {} ';'",
    ],
    nothing: ["find . -type l", "find . -lname '*a.ts' -print"],
  },
  "a program that reads its options from a text": {
    written: [
      `printf 'url = "file:///b"\\noutput = "src/a.ts"\\n' | curl -s -K -`,
      "curl -K - <<< 'output = src/a.ts'",
      "curl --config <(echo '-o src/a.ts') https://x",
      "wget -e output_document=src/a.ts http://x",
    ],
    unknown: ["curl -K settings.txt https://x", 'curl -K "$S" https://x', "wget --config=w.rc http://x"],
  },
  "an address can be a file, and a name can be made of its parts": {
    written: [
      "curl -s -T b.ts file:///repo/src/a.ts",
      "curl --upload-file b.ts file://localhost/repo/src/a.ts",
      "curl 'https://x/{a,b}.ts' -o 'src/#1.ts'",
    ],
    nothing: ["curl -T src/a.ts https://x/upload", "curl -s file:///repo/src/a.ts"],
  },
  "a compressor or archiver whose second operand, or member, is the target": {
    written: [
      "lz4 -q -f b.ts src/a.ts",
      "lz4 -d b.lz4 src/a.ts",
      "unlz4 -f b.lz4 src/a.ts",
      "cd src && ar x ../lib.a a.ts",
      "zstd -d --output-dir-flat src b/a.ts.zst",
    ],
    unknown: ["cd src && ar xo ../lib.a", "ar -x lib.a", "ar x --output=src lib.a"],
    nothing: ["lz4 -c src/a.ts | wc -c", "ar t lib.a", "ar p lib.a a.ts"],
  },
  "a name that stands for another variable": {
    written: [
      'declare -n ref=dest; dest=src/a.ts; echo >> "$ref"',
      'f() { local -n out=$1; echo x > "$out"; }; path=src/a.ts; f path',
      'typeset -n r; r=dest; dest=src/a.ts; rm "$r"',
      'declare -n list=files; files=(src/a.ts); rm "${list[@]}"',
      'declare -n ref=dest; ref=src/a.ts; rm "$dest"',
    ],
    unknown: ['declare -n ref=$NAME; rm "$ref"'],
    nothing: ['f() { local -n out=$1; echo "$out"; }; path=src/a.ts; f path'],
  },
  "separators of words that the line sets": {
    written: [
      'IFS=/ ; parts=(src a.ts); rm "${parts[*]}"',
      'IFS=/; set -- src a.ts; rm "$*"',
      "IFS=:; list=README.md:src/a.ts; rm $list",
      'IFS=, read -r a b <<< "x,src/a.ts"; rm "$b"',
    ],
    unknown: ["IFS=$SEP; list=src:a.ts; rm $list"],
    nothing: [`IFS=$'\\n'; for f in $(cat config/files.txt); do cat "$f"; done`],
  },
  "a function that hides a program of its name, or calls itself": {
    written: [
      'rm() { command rm -f "$@"; }; rm src/a.ts',
      'git() { command git "$@"; }; git checkout -- src/a.ts',
      'tee() { command tee -a "$@"; }; echo x | tee src/a.ts',
      'cp() { env cp -v "$@"; }; cp README.md src/a.ts',
    ],
    unknown: ['loop() { loop "$@"; }; loop src/a.ts'],
    nothing: ['ls() { command ls -la "$@"; }; ls src', 'rm() { echo "not removed: $*"; }; rm src/a.ts'],
  },
  "the name of an open file": {
    written: [
      "exec 3< src/a.ts; echo > /proc/self/fd/3",
      "exec 4<src/a.ts; : > /dev/fd/4",
      "exec 5<src/a.ts; echo x | tee /proc/$$/fd/5",
      "sh -c 'echo > /dev/stdin' < src/a.ts",
      "exec 6<src; echo > /proc/self/fd/6/a.ts",
    ],
    unknown: ["echo x > /proc/self/fd/9", 'node -e \'fs.writeFileSync("/proc/self/fd/20", "")\''],
    nothing: [
      "echo x > /dev/stderr",
      "echo x | tee /dev/fd/2",
      "cat < src/a.ts > /dev/stdout",
      "cat src/a.ts | tee >(wc -c) > /dev/null",
    ],
  },
  "commands inside a terminal multiplexer": {
    written: [
      "tmux load-buffer - && tmux save-buffer /repo/src/a.ts",
      "tmux set-buffer x \\; save-buffer src/a.ts",
      "tmux pipe-pane -o 'cat > src/a.ts'",
      "screen -dmS job rm src/a.ts",
    ],
    unknown: ["tmux source-file x.conf", "screen -X stuff x"],
    nothing: ["tmux ls", "tmux capture-pane -p", "tmux kill-session -t x", "screen -ls"],
  },
  "a function that is handed on, or called by way of another": {
    written: [
      `python3 -c 'import threading, pathlib; threading.Thread(target=pathlib.Path("src/a.ts").write_text, args=("",)).start()'`,
      `python3 -c 'import os; getattr(os, "remove")("src/a.ts")'`,
      `python3 -c 'import pathlib; list(map(pathlib.Path.unlink, [pathlib.Path("src/a.ts")]))'`,
      `node -e 'setTimeout(fs.unlinkSync, 10, "src/a.ts")'`,
      `node -e 'fs.rmSync.call(fs, "src/a.ts")'`,
      `node -e 'fs.writeFileSync.apply(null, ["src/a.ts", ""])'`,
      `ruby -e 'File.public_send("delete", "src/a.ts")'`,
      `php -r 'array_map("unlink", ["src/a.ts"]);'`,
      `php -r '$f = "unlink"; $f("src/a.ts");'`,
    ],
    nothing: [`node -e 'console.log(["src/a.ts"].map(require("path").basename))'`],
  },
  "a class or module that opens the file it is given": {
    written: [
      `python3 -c 'import zipfile; zipfile.ZipFile("src/a.ts", "w").close()'`,
      `python3 -c 'import gzip; gzip.GzipFile("src/a.ts", "wb")'`,
      `python3 -c 'import logging; logging.basicConfig(filename="src/a.ts")'`,
      `python3 -c 'import logging.handlers as h; h.RotatingFileHandler("src/a.ts")'`,
      `python3 -c 'import xml.etree.ElementTree as E; E.parse("b.xml").write("src/a.ts")'`,
      `perl -MStorable -e 'Storable::nstore([], "src/a.ts")'`,
      `node -e 'require("v8").writeHeapSnapshot("src/a.ts")'`,
    ],
    nothing: [
      `python3 -c 'import zipfile; print(zipfile.ZipFile("src/a.ts").namelist())'`,
      `python3 -c 'import logging; logging.basicConfig(level=10); logging.info("src/a.ts")'`,
      `python3 -c 'import sys, xml.dom.minidom; sys.stdout.write("<a> src/a.ts </a>")'`,
    ],
  },
  "the folder that the code runs in, parts of a path, and the words of a text": {
    written: [
      `cd scripts && python3 -c 'from pathlib import Path; (Path.cwd().parent / "src" / "a.ts").write_bytes(b"")'`,
      `node -e 'fs.rmSync(require("path").join(process.cwd(), "src", "a.ts"))'`,
      `python3 -c 'import os; os.remove(os.getcwd() + "/src/a.ts")'`,
      `python3 -c 'from pathlib import Path; p = Path("src/b.ts"); (p.parent / "a.ts").unlink()'`,
      `python3 -c 'import subprocess, shlex; subprocess.run(shlex.split("cp README.md src/a.ts"))'`,
      `python3 -c 'import subprocess; subprocess.check_call("rm -f src/a.ts".split())'`,
      `ruby -e 'system(*"rm src/a.ts".split)'`,
    ],
    nothing: [`python3 -c 'from pathlib import Path; print(Path("src/a.ts").parent, Path.cwd())'`],
  },
  "a file under a name of its own, which the line wrote before": {
    written: [
      "printf ': > src/a.ts\\n' > /tmp/s.$$; bash /tmp/s.$$",
      "echo 'rm src/a.ts' > /tmp/s.$$.sh && . /tmp/s.$$.sh",
      "git archive HEAD src | tar x",
      "git archive --prefix=src/ HEAD a.ts | tar xf -",
      `awk 'NR == 1 { system("rm -f " FILENAME) }' src/a.ts`,
      `awk '{ print > FILENAME }' src/a.ts`,
    ],
    nothing: [
      "git archive HEAD src | tar x -C /tmp",
      "git archive HEAD src | tar t",
      `awk '{ print FILENAME }' src/a.ts`,
    ],
  },
  "an import is not a call": {
    nothing: [
      `perl -MFile::Basename -e 'print basename("src/a.ts"), "\\n"'`,
      `perl -MFile::Spec -e 'print File::Spec->catfile("src", "a.ts")'`,
      `perl -e 'use File::Basename qw(dirname); print dirname("src/a.ts")'`,
      `perl -e 'use Cwd; print getcwd, "src/a.ts"'`,
    ],
  },
  "a condition that is false now, and is not changed by the line": {
    nothing: [
      "false && rm src/a.ts || true",
      "true || rm src/a.ts",
      "if false; then rm src/a.ts; fi",
      "if [ ! -f src/a.ts ]; then cp README.md src/a.ts; fi",
      "test -e src/a.ts || : > src/a.ts",
      "[[ -e src/a.ts ]] || touch src/a.ts",
      "! test -e src/a.ts && echo x > src/a.ts",
      "test -d src || rm src/a.ts",
    ],
    written: [
      "[ -f src/a.ts ] && rm src/a.ts",
      "if ! [ -f src/a.ts ]; then :; else rm src/a.ts; fi",
      // A file that is not there now may be there then.
      "[ -f flag ] && rm src/a.ts",
      "rm README.md; [ -e README.md ] || rm src/a.ts",
      "mv R* /tmp; [ -e README.md ] || rm src/a.ts",
      "ls absent || rm src/a.ts",
      "false || rm src/a.ts",
      "true() { return 1; }; true || rm src/a.ts",
    ],
  },
  "a copy that leaves a file alone which is there": {
    written: ["cp -f README.md src/a.ts", "rm src/a.ts; cp -n README.md src/a.ts", "ln -sf ../README.md src/a.ts"],
  },
};

describe.each(Object.entries(classes))("%s", (_title, { written = [], unknown = [], nothing = [] }) => {
  const rows = [
    ...written.map((command) => ["written", command]),
    ...unknown.map((command) => ["unknown", command]),
    ...nothing.map((command) => ["nothing", command]),
  ] as const;
  it.each(rows)("%s: %s", (says, command) => {
    expect(judged(command).says).toBe(says);
  });
});

it.each([
  "cp -n README.md src/a.ts",
  "cp --update=none README.md src/a.ts",
  "mv -n README.md src/a.ts",
  "ln -s ../README.md src/a.ts",
  "rsync --ignore-existing README.md src/a.ts",
  "tar xkf lib.tar src/a.ts",
  "unzip -n lib.zip src/a.ts",
])("does not count the file that is there: %s", (command) => {
  expect(judged(command).targets.map(({ path }) => path)).not.toContain("/repo/src/a.ts");
});

it.each(["rm", "unlink"])("%s of a link takes away the link alone", (program) => {
  const { targets } = judged(`ln -s "$PWD/src/a.ts" /tmp/l && cat /tmp/l; ${program} /tmp/l`);
  expect(targets.map(({ path }) => path)).not.toContain("/repo/src/a.ts");
});

it.each([
  ["git fetch -q && git merge -X theirs origin/main", "git merge"],
  ["git remote update && git rebase origin/main", "git rebase"],
  ["git update-ref refs/heads/x origin/main; git checkout x", "git checkout"],
  ["git branch -f side feature && git switch side", "git switch"],
  ["git config core.sparseCheckout true && git read-tree -mu HEAD", "git read-tree"],
  ["echo docs/ > .git/info/sparse-checkout; git read-tree -mu HEAD", "git read-tree"],
])("asks git and doubts its answer where the line changes the repository first: %s", (command, what) => {
  const { gitCommands, unknown } = judged(command);
  expect(gitCommands).toHaveLength(1);
  expect(unknown).toContainEqual({ what, why: expect.stringContaining("changes the answer of git") });
});

it.each([
  "git config user.name Ada && git checkout side",
  "git add -A && git switch side",
  "git tag v2 && git merge x",
])("asks git without a doubt where its answer stands: %s", (command) => {
  expect(judged(command)).toMatchObject({ gitCommands: [{}], unknown: [] });
});

it.each([
  ["git diff -U1 HEAD feature -- src/a.ts | git apply --3way", ["HEAD -- src/a.ts", "feature -- src/a.ts"]],
  ["git diff main..feature | patch -p1", ["main -- :/", "feature -- :/"]],
  ["git show feature | git apply", ["feature^ -- :/", "feature -- :/"]],
  ["git format-patch -1 --stdout feature | git am", ["feature^ -- :/", "feature -- :/"]],
  ["git stash show -p | git apply -R", ["stash@{0}^ -- :/", "stash@{0} -- :/"]],
  ["git diff | git apply -R", ["HEAD -- :/"]],
  ["git diff HEAD -- src/a.ts > /tmp/d.$$ && git apply -R /tmp/d.$$", ["HEAD -- src/a.ts"]],
  ["git diff > d.patch; patch -R -p1 -i d.patch", ["HEAD -- :/"]],
])("asks git in which files the tree is unlike the commits of a diff: %s", (command, asked) => {
  const { gitCommands } = judged(command);
  expect(gitCommands.map(({ args }) => args.slice(1).join(" "))).toEqual(asked);
});
