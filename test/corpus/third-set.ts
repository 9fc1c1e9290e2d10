/**
 * The third set: commands written by an author who has not read the parser, after its last change.
 *
 * Each row was run alone in a fresh tree first: a "held" row really changes src/checkout.ts, the others leave it as it was.
 */
import { type CorpusCommand, inTree, needs, rows } from "./corpus-command.ts";

export const thirdSet: readonly CorpusCommand[] = [
  ...rows("redirects", "held", [
    'echo "export const total = 0;" > src/checkout.ts',
    "echo '// TODO: handle an empty cart' >>src/checkout.ts",
    ">src/checkout.ts",
    ": >| ./src/checkout.ts",
    "git show HEAD:src/checkout.ts > src/checkout.ts",
    "cat templates/checkout.ts src/cart.ts > ./src/../src/checkout.ts",
    "npm ls --depth=0 &> src/checkout.ts",
    "ls no-such-folder 2> src/checkout.ts",
    "{ echo '// @ts-nocheck'; git show HEAD:src/checkout.ts; } > src/checkout.ts",
    String.raw`(printf '/* eslint-disable */\n'; cat templates/checkout.ts) 1> src/checkout.ts`,
    "if grep -q discount src/checkout.ts; then echo 'export const discount = 0;' >> src/checkout.ts; fi",
    'for n in 1 2 3; do echo "export const step$n = $n;"; done >> src/checkout.ts',
    'while read -r line; do echo "// $line"; done < README.md > src/checkout.ts',
    "set -o noclobber; echo 'export {};' >| src/checkout.ts",
    "date 1<>src/checkout.ts",
    `node -p '"export const built = " + 1' >> "$PWD/src/checkout.ts"`,
    "node scripts/test.mjs >> src/checkout.ts 2>&1",
    String.raw`[[ -s src/checkout.ts ]] && printf '%s\n' 'export const total = 12;' > src/checkout.ts || true`,
    "case $(uname) in Linux) echo '// linux' >> src/checkout.ts;; esac",
  ]),
  ...rows("here documents", "held", [
    `cat > src/checkout.ts <<'EOF'
export const total = 0;
export const currency = "EUR";

export function checkout(cart: number[]): number {
  return cart.reduce((sum, price) => sum + price, total);
}
EOF`,
    `cat <<EOF >> src/checkout.ts

export const builtAt = "$(date +%F)";
EOF`,
    `cat <<-'TS' | tee src/checkout.ts > /dev/null
	export const total = 0;
	export const currency = "EUR";
	TS`,
    "tee src/checkout.ts <<< 'export const total = 1;'",
    'cat > src/checkout.ts <<< "$(git show HEAD~1:src/checkout.ts)"',
    `bash <<'EOF'
set -euo pipefail
cd src
mv checkout.ts checkout-old.ts
EOF`,
    `mkdir -p src && cat <<'A' > src/price.ts && cat <<'B' > src/checkout.ts
export const price = 12;
A
export const total = 12;
B`,
    `sh -s src/checkout.ts <<'EOF'
echo "// reviewed" >> "$1"
EOF`,
    String.raw`python3 - <<< 'open("src/checkout.ts", "a").write("// from a here-string\n")'`,
    `dd of=src/checkout.ts status=none <<'EOF'
export const total = 3;
EOF`,
    String.raw`node --input-type=module <<'EOF'
import { appendFile } from "node:fs/promises";
await appendFile("src/checkout.ts", "export const vat = 19;\n");
EOF`,
  ]),
  ...rows("coreutils", "held", [
    "cp templates/checkout.ts src/",
    "cp -f templates/checkout.ts src/checkout.ts",
    "cp -t src templates/checkout.ts",
    "cp -rT templates src",
    "cp -a templates/. src/",
    "cp --backup=numbered templates/checkout.ts src/checkout.ts",
    "cp src/price.ts src/checkout.ts && echo done",
    "mv src/checkout.ts src/check-out.ts",
    "mv -t docs src/checkout.ts",
    "mv src/checkout.ts{,.bak}",
    "mv templates/checkout.ts src/checkout.ts",
    "mkdir -p src/checkout.d && mv src/*.ts src/checkout.d/",
    "rm src/checkout.ts",
    "rm -f -- src/checkout.ts src/checkout.js",
    "rm -rf src && mkdir src",
    "rm -r ./src/",
    "unlink src/checkout.ts",
    "install -m 644 templates/checkout.ts src/checkout.ts",
    "install -D -t src templates/checkout.ts",
    "truncate -s 0 src/checkout.ts",
    "truncate --size=-20 src/checkout.ts",
    "dd if=/dev/null of=src/checkout.ts",
    "dd if=templates/checkout.ts of=src/checkout.ts conv=notrunc status=none",
    "dd if=/dev/zero of=src/checkout.ts bs=1 count=4 seek=10 conv=notrunc",
    "shred -u src/checkout.ts",
    "shred -n 1 src/checkout.ts",
    "sort -o src/checkout.ts src/checkout.ts",
    "sort -u --output=src/checkout.ts src/cart.ts src/price.ts",
    "uniq src/cart.ts src/checkout.ts",
    "split -l 2 --additional-suffix=.ts README.md src/checkout-part && mv src/checkout-partaa.ts src/checkout.ts",
    "cd src && csplit -q -f checkout -b '%d.ts' checkout.ts 4 && mv checkout0.ts checkout.ts",
    "ln -sf ../templates/checkout.ts src/checkout.ts",
    "ln -f templates/checkout.ts src/checkout.ts",
    "fallocate -p -o 0 -l 16 src/checkout.ts",
    "rmdir src 2>/dev/null || rm -rf src",
    "cp /dev/null src/checkout.ts",
    "tac src/checkout.ts > out.tmp && mv out.tmp src/checkout.ts",
    "expand -t 2 src/checkout.ts | sort > src/tmp.ts; mv -f src/tmp.ts src/checkout.ts",
    'mktemp -p src && mv "$(ls -t src/tmp.* | head -1)" src/checkout.ts',
  ]),
  ...rows("sed", "held", [
    "sed -i 's/discount = 15/discount = 20/' src/checkout.ts",
    "sed -i.bak -e '/discount/d' src/checkout.ts",
    String.raw`sed -Ei 's/(total|currency)/\U\1/g' src/*.ts`,
    "sed --in-place=.orig '1i // Copyright' src/checkout.ts",
    "sed -n -i '1,3p' src/checkout.ts",
    "sed -i '$a export default checkout;' src/checkout.ts",
    "sed -i -f scripts/total.sed src/checkout.ts",
    "sed -s -i -- '1d' src/cart.ts src/checkout.ts",
    "sed 's/EUR/CHF/' src/checkout.ts > src/checkout.ts.new && mv src/checkout.ts.new src/checkout.ts",
    "sed -n 'w src/checkout.ts' templates/checkout.ts",
    "sed 's/prices/goods/w src/checkout.ts' docs/guide.md",
    String.raw`sed -i 's#cart\.reduce#cart.filter(Boolean).reduce#' "$(git ls-files '*heckout.ts' | grep ^src)"`,
    "sed -i '' -e 's/EUR/GBP/' src/checkout.ts",
    String.raw`sed -i \
  -e 's/total/sum/g' \
  -e 's/cart/basket/g' \
  src/checkout.ts src/cart.ts`,
    'sed -i "$(grep -n discount src/checkout.ts | head -1 | cut -d: -f1)d" src/checkout.ts',
    "sed '1e rm src/checkout.ts' README.md",
    "grep -rl 'currency' src | xargs sed -i 's/currency/money/g'",
  ]),
  ...rows("awk", "held", [
    [
      `awk '{ gsub(/EUR/, "USD"); print }' src/checkout.ts > /tmp/checkout.$$ && mv /tmp/checkout.$$ src/checkout.ts`,
      needs("awk"),
    ],
    [`awk 'NR == 1 { print > "src/checkout.ts" }' src/cart.ts`, needs("awk")],
    ["awk -v out=src/checkout.ts '{ print toupper($0) >> out }' README.md", needs("awk")],
    [`awk 'BEGIN { print "export const total = 2;" | "cat > src/checkout.ts" }'`, needs("awk")],
    [`awk 'BEGIN { system("rm -f src/checkout.ts") }'`, needs("awk")],
    [
      "awk -f scripts/upper.awk src/checkout.ts | tee src/checkout.ts.tmp >/dev/null; mv src/checkout.ts.tmp src/checkout.ts",
      needs("awk"),
    ],
    [
      "awk '{ lines[NR] = $0 } END { for (i = NR; i > 0; i--) print lines[i] > FILENAME }' src/checkout.ts",
      needs("awk"),
    ],
    [`awk '{ f = "src/" $1 ".ts"; printf "" > f }' <<< checkout`, needs("awk")],
    [String.raw`out=$(awk '!/heron/' src/checkout.ts) && printf '%s\n' "$out" > src/checkout.ts`, needs("awk")],
    [
      String.raw`awk '
  /currency/ { print; print "export const locale = \"de\";"; next }
  { print }
' src/checkout.ts > src/.checkout.swp && cat src/.checkout.swp > src/checkout.ts; rm -f src/.checkout.swp`,
      needs("awk"),
    ],
  ]),
  ...rows("perl", "held", [
    String.raw`perl -pi -e 's/discount = \d+/discount = 25/' src/checkout.ts`,
    "perl -i.orig -ne 'print unless /heron/' src/checkout.ts",
    "perl -0777 -i -pe 's/export function.*//s' src/checkout.ts",
    String.raw`perl -e 'open(my $fh, ">>", "src/checkout.ts") or die $!; print $fh "// end\n"; close $fh'`,
    `perl -e 'unlink glob "src/check*.ts"'`,
    `perl -MFile::Copy -e 'copy("templates/checkout.ts", "src/checkout.ts") or die'`,
    `perl -MFile::Copy=move -e 'move "src/checkout.ts", "docs/checkout.ts"'`,
    `perl -e 'rename $_, "$_.old" for @ARGV' src/checkout.ts`,
    "perl scripts/bump.pl",
    `perl -MFile::Path=remove_tree -e 'remove_tree("src")'`,
    `perl -e 'truncate("src/checkout.ts", 30)'`,
    String.raw`perl -MFile::Spec -e 'my $p = File::Spec->catfile("src", "checkout.ts"); open F, ">$p"; print F "export {};\n";'`,
    `perl -e 'for my $f (<src/*.ts>) { local @ARGV = ($f); local $^I = ""; while (<>) { s/const/let/; print } }'`,
    `perl <<'EOF'
use strict;
use warnings;
my $file = 'src/checkout.ts';
open my $in, '<', $file or die;
my @lines = grep { !/heron/ } <$in>;
close $in;
open my $out, '>', $file or die;
print {$out} @lines;
close $out;
EOF`,
    "perl -pe 's/total/amount/g' -i -- src/checkout.ts",
    `perl -e 'exec "sed", "-i", "1d", "src/checkout.ts"'`,
    "perl -e 'system(qq{git checkout -- src/checkout.ts}) == 0 or die'",
    `perl -MTie::File -e 'tie my @l, "Tie::File", "src/checkout.ts"; $l[0] = "export const total = 4;"; untie @l'`,
  ]),
  ...rows("python", "held", [
    [`python3 -c "open('src/checkout.ts', 'w').close()"`, needs("python3")],
    [
      String.raw`python3 -c "
import re
p = 'src/checkout.ts'
s = open(p).read()
s = re.sub(r'discount = \d+', 'discount = 30', s)
open(p, 'w').write(s)
"`,
      needs("python3"),
    ],
    [
      `python3 - <<'EOF'
from pathlib import Path

path = Path("src/checkout.ts")
text = path.read_text()
old = 'export const currency = "EUR";'
assert old in text, "anchor not found"
path.write_text(text.replace(old, 'export const currency = "NOK";', 1))
print("patched")
EOF`,
      needs("python3"),
    ],
    [
      `python3 - src/checkout.ts <<'PY'
import sys
with open(sys.argv[1], "r+") as f:
    lines = f.readlines()
    f.seek(0)
    f.writelines(l for l in lines if "heron" not in l)
    f.truncate()
PY`,
      needs("python3"),
    ],
    [`python3 -c 'import os; os.remove("src/checkout.ts")'`, needs("python3")],
    [`python3 -c 'import shutil; shutil.copyfile("templates/checkout.ts", "src/checkout.ts")'`, needs("python3")],
    [`python3 -c 'import shutil; shutil.rmtree("src", ignore_errors=True)'`, needs("python3")],
    [`python3 -c 'import os; os.rename("src", "lib")'`, needs("python3")],
    [`python3 -c 'from pathlib import Path; Path("src/checkout.ts").unlink(missing_ok=True)'`, needs("python3")],
    [
      `python3 -c 'from pathlib import Path; [p.write_text(p.read_text().upper()) for p in Path("src").rglob("*.ts")]'`,
      needs("python3"),
    ],
    [
      String.raw`python3 <<'EOF'
import glob
for name in glob.glob("src/**/*.ts", recursive=True):
    with open(name) as f:
        body = f.read()
    with open(name, "w") as f:
        f.write("// SPDX-License-Identifier: MIT\n" + body)
EOF`,
      needs("python3"),
    ],
    [
      `python3 <<'EOF'
import subprocess
subprocess.run(["git", "checkout", "HEAD", "--", "src/checkout.ts"], check=True)
EOF`,
      needs("python3"),
    ],
    [`python3 -c 'import subprocess as s; s.check_call("echo // >> src/checkout.ts", shell=True)'`, needs("python3")],
    [`python3 -c 'import os; os.system("truncate -s0 src/checkout.ts")'`, needs("python3")],
    [
      `python3 -c '
import fileinput
for line in fileinput.input("src/checkout.ts", inplace=True):
    print(line.replace("total", "subtotal"), end="")
'`,
      needs("python3"),
    ],
    ["python3 scripts/bump.py", needs("python3")],
    ["python3 scripts/rename.py src/checkout.ts src/cart.ts", needs("python3")],
    [
      String.raw`python3 -c 'import json; c = json.load(open("config/target.json")); open(c["target"], "a").write("export const value = %d;\n" % c["value"])'`,
      needs("python3"),
    ],
    [
      String.raw`python3 <<'EOF'
import os, tempfile

def write_atomically(path, text):
    fd, temp = tempfile.mkstemp(dir=os.path.dirname(path))
    with os.fdopen(fd, "w") as f:
        f.write(text)
    os.replace(temp, path)

write_atomically("src/checkout.ts", "export const total = 6;\n")
EOF`,
      needs("python3"),
    ],
    [
      `python3 -c 'import mmap; f = open("src/checkout.ts", "r+b"); m = mmap.mmap(f.fileno(), 0); m[0:6] = b"EXPORT"; m.flush()'`,
      needs("python3"),
    ],
    [
      String.raw`python3 -c 'import io, os; fd = os.open("src/checkout.ts", os.O_WRONLY | os.O_APPEND); os.write(fd, b"// fd\n"); os.close(fd)'`,
      needs("python3"),
    ],
    [
      `cd scripts && python3 -c 'from pathlib import Path; (Path.cwd().parent / "src" / "checkout.ts").write_bytes(b"")'`,
      needs("python3"),
    ],
    [
      `cat > /tmp/fix_$$.py <<'EOF'
import sys
p = sys.argv[1]
s = open(p).read()
open(p, "w").write(s.replace("EUR", "SEK"))
EOF
python3 /tmp/fix_$$.py src/checkout.ts; rm /tmp/fix_$$.py`,
      needs("python3"),
    ],
    ["python3 -m tarfile -e archives/src.tar .", needs("python3")],
    [`echo 'print("export const total = 1;", file=open("src/checkout.ts", "w"))' | python3`, needs("python3")],
    [`python3 -c 'import runpy; runpy.run_path("scripts/bump.py")'`, needs("python3")],
    [`python3 -c 'exec(open("scripts/bump.py").read())'`, needs("python3")],
    [
      `python3 -c 'import os; [os.truncate(os.path.join(d, f), 0) for d, _, fs in os.walk("src") for f in fs]'`,
      needs("python3"),
    ],
  ]),
  ...rows("node", "held", [
    String.raw`node -e 'require("fs").writeFileSync("src/checkout.ts", "export {};\n")'`,
    `node -e "const fs=require('fs');const p='src/checkout.ts';fs.writeFileSync(p,fs.readFileSync(p,'utf8').replace(/EUR/g,'USD'))"`,
    String.raw`node -e 'require("node:fs").appendFileSync(process.argv[1], "// appended\n")' src/checkout.ts`,
    `node --input-type=module -e 'import { rm } from "node:fs/promises"; await rm("src", { recursive: true });'`,
    `node -e 'fs.rmSync("src/checkout.ts")'`,
    `node -p 'fs.renameSync("src/checkout.ts", "src/checkout.old.ts"), 1'`,
    `node -e 'fs.copyFileSync("templates/checkout.ts", path.join("src", "checkout.ts"))'`,
    String.raw`node -e 'fs.createWriteStream("src/checkout.ts").end("export const streamed = true;\n")'`,
    `node -e 'child_process.execSync("git restore src/checkout.ts", { stdio: "inherit" })'`,
    `node -e 'require("child_process").spawnSync("sed", ["-i", "s/EUR/PLN/", "src/checkout.ts"])'`,
    "node -e '\n" +
      'const fs = require("fs");\n' +
      'for (const name of fs.readdirSync("src")) {\n' +
      "  const file = `src/${name}`;\n" +
      '  fs.writeFileSync(file, fs.readFileSync(file, "utf8").trimEnd());\n' +
      "}\n" +
      "'",
    "node <<'EOF'\n" +
      'const { readFileSync, writeFileSync } = require("node:fs");\n' +
      'const { join } = require("node:path");\n' +
      "\n" +
      'const file = join(process.cwd(), "src", "checkout.ts");\n' +
      'const lines = readFileSync(file, "utf8").split("\\n");\n' +
      "lines.splice(2, 1);\n" +
      'writeFileSync(file, lines.join("\\n"));\n' +
      "console.log(`removed 1 line from ${file}`);\n" +
      "EOF",
    `node - src/checkout.ts <<'EOF'
const fs = require("fs");
const fd = fs.openSync(process.argv[2], "r+");
fs.ftruncateSync(fd, 12);
fs.closeSync(fd);
EOF`,
    "node scripts/generate.mjs",
    "cd scripts && node ./generate.mjs",
    "node scripts/replace.cjs src/checkout.ts EUR DKK",
    `node -e 'import("./scripts/generate.mjs")'`,
    String.raw`node -r ./scripts/transform.cjs -e 'fs.promises.writeFile("src/checkout.ts", "export const total = 5;\n")'`,
    "node --import ./scripts/generate.mjs -e 0",
    "node -e 'const t = require(\"./config/target.json\"); fs.writeFileSync(t.target, `export const value = ${t.value};\\n`)'",
    `node -e 'fs.cpSync("templates", "src", { recursive: true, force: true })'`,
    "NODE_OPTIONS='--import ./scripts/generate.mjs' node -e 1",
    `node -e 'fs.symlinkSync("../src/checkout.ts", "docs/c.ts"); fs.writeFileSync("docs/c.ts", "")'`,
    `echo 'require("fs").truncateSync("src/checkout.ts")' | node -`,
  ]),
  ...rows("other languages", "held", [
    ["tclsh scripts/edit.tcl", needs("tclsh")],
    ["echo 'file delete src/checkout.ts' | tclsh", needs("tclsh")],
    [
      `tclsh <<'EOF'
set f [open "src/checkout.ts" a]
puts $f "// tcl was here"
close $f
EOF`,
      needs("tclsh"),
    ],
    [
      String.raw`printf '#include <stdio.h>\nint main(void) { return remove("src/checkout.ts"); }\n' | gcc -x c -o /tmp/rm.$$ - && /tmp/rm.$$; rm -f /tmp/rm.$$`,
      needs("gcc"),
    ],
    [
      String.raw`cat > touch.c <<'EOF'
#include <stdio.h>
int main(int argc, char **argv) {
  FILE *f = fopen(argv[1], "a");
  fputs("// native\n", f);
  return fclose(f);
}
EOF
cc -o touch-native touch.c && ./touch-native src/checkout.ts; rm -f touch.c touch-native`,
      needs("cc"),
    ],
    [`echo "6 * 7" | bc | sed 's/.*/export const answer = &;/' >> src/checkout.ts`, needs("bc")],
    [String.raw`dash -c 'printf "export {};\n" > src/checkout.ts'`, needs("dash")],
    [String.raw`jq -r '"export const value = \(.value);"' config/target.json > src/checkout.ts`, needs("jq")],
    ["jq -r .target config/target.json | xargs rm -v", needs("jq")],
    [`echo reset > "$(jq -r '.target' config/target.json)"`, needs("jq")],
    ["NAME=total envsubst <<< 'export const $NAME = 1;' > src/checkout.ts", needs("envsubst")],
    [String.raw`printf 'all:\n\t@rm -f src/checkout.ts\n' | make -f -`, needs("make")],
    ["cmake -E copy templates/checkout.ts src/checkout.ts", needs("cmake")],
    ["cmake -E rm -f src/checkout.ts", needs("cmake")],
    [String.raw`echo 'file(WRITE src/checkout.ts "export {};\n")' > gen.cmake && cmake -P gen.cmake`, needs("cmake")],
  ]),
  ...rows("editors in batch mode", "held", [
    [String.raw`printf '%s\n' '/discount/d' w q | ed -s src/checkout.ts`, needs("ed")],
    [
      `ed -s src/checkout.ts <<'EOF'
1i
// @ts-check
.
w
q
EOF`,
      needs("ed"),
    ],
    ["ed -s src/checkout.ts < scripts/edit.ed", needs("ed")],
    [String.raw`printf 'r templates/checkout.ts\nw src/checkout.ts\nq\n' | ed -s`, needs("ed")],
    ["ex -s -c '%s/EUR/USD/g' -c 'x' src/checkout.ts", needs("ex")],
    ["ex -sc '1d|wq' src/checkout.ts", needs("ex")],
    [String.raw`printf '%s\n' 'g/heron/d' 'wq' | ex -s src/checkout.ts`, needs("ex")],
    ["vim -es -u NONE -c '%s/total/amount/g' -c wq src/checkout.ts", needs("vim")],
    ["vim -Nu NONE -es +'normal Go// the end' +wq src/checkout.ts", needs("vim")],
    ["vim -es -u NONE -S scripts/edit.vim src/checkout.ts", needs("vim")],
    ["vim -es -u NONE -c 'argdo 1d | update' -c 'qa!' src/*.ts", needs("vim")],
    [`vim -es -u NONE -c 'call writefile(["export {};"], "src/checkout.ts")' -c 'qa!'`, needs("vim")],
    ["vim -es -u NONE -c 'e templates/checkout.ts' -c 'w! src/checkout.ts' -c 'q!'", needs("vim")],
    ["vim -es -u NONE -c 'silent !rm src/checkout.ts' -c 'qa!'", needs("vim")],
    ["vi -es -c '2,3d' -c 'x' src/checkout.ts", needs("vi")],
    "EDITOR='sed -i 1d'; $EDITOR src/checkout.ts",
    [
      `vim -es -u NONE src/checkout.ts <<'EOF'
%s/cart/basket/g
w
q
EOF`,
      needs("vim"),
    ],
  ]),
  ...rows("git checkout and restore", "held", [
    "git checkout src/checkout.ts",
    "git checkout -- .",
    "git checkout HEAD~1 -- src",
    "git checkout -f",
    "git checkout -f feature",
    "git checkout --force -B spike origin/main",
    "git checkout -m feature",
    "git checkout feature -- '*.ts'",
    "git checkout v1.0 src/checkout.ts",
    "git checkout --pathspec-from-file=config/files.txt",
    "yes | git checkout -p -- src/checkout.ts",
    "git restore src/checkout.ts",
    "git restore .",
    "git restore -s v1.0 -- src/checkout.ts",
    "git restore --source=feature --staged --worktree src",
    "git restore -SW :/",
    "cut -d: -f1 config/files.txt | git restore --pathspec-from-file=-",
    String.raw`printf 'src/checkout.ts\0' | git restore --pathspec-from-file=- --pathspec-file-nul`,
    "git switch --discard-changes feature",
    "git switch -f -c try-again v1.0",
    "git switch --merge feature",
    ["git checkout feature", inTree("clean")],
    ["git switch -q side", inTree("clean")],
    ["git checkout -q v1.0", inTree("clean")],
    ["git checkout --detach HEAD~1", inTree("clean")],
    ["git switch --orphan empty", inTree("clean")],
    ["git checkout feature -- src/checkout.ts", inTree("untracked")],
    ["git restore --source HEAD~1 src/checkout.ts", inTree("untracked")],
  ]),
  ...rows("git reset, stash and clean", "held", [
    "git reset --hard",
    "git reset -q --hard HEAD",
    "git reset --hard origin/main",
    "git reset --hard '@{u}'",
    "git fetch -q && git reset --hard FETCH_HEAD",
    ["git reset --keep HEAD~1", inTree("clean")],
    ["git reset --merge HEAD~1", inTree("clean")],
    "git stash",
    "git stash push -m wip -- src/checkout.ts",
    "git stash -q && npm run -s check; git status --short",
    "git stash push --keep-index --include-untracked",
    "git stash save 'before the upgrade'",
    "git add -A && git stash -S",
    "git stash -q && git stash branch later && git checkout -q .",
    "git stash create > /dev/null; git reset --hard --quiet",
    ["git clean -fd", inTree("untracked")],
    ["git clean -xdff -e node_modules", inTree("untracked")],
    ["git clean -f src", inTree("untracked")],
    ["git stash -u", inTree("untracked")],
    ["git stash --all --quiet", inTree("untracked")],
    ["git add src/checkout.ts && git reset --hard", inTree("untracked")],
    ["git -c clean.requireForce=false clean -d", inTree("untracked")],
    ["git clean -fd -- ':(glob)src/**/*.ts'", inTree("untracked")],
    "git rm -f src/checkout.ts",
    "git rm -rf -q src",
    "git rm -f 'src/*.ts'",
    "git mv src/checkout.ts src/purchase.ts",
    "git mv src lib",
    "git mv -f src/price.ts src/checkout.ts",
    "git add -u && git commit -qm wip && git reset -q --hard HEAD~1",
  ]),
  ...rows("git history", "held", [
    "git merge -q --autostash feature",
    ["git merge --no-edit feature", inTree("clean")],
    ["git fetch -q && git merge -q -X theirs origin/main", inTree("clean")],
    ["git merge --squash feature", inTree("clean")],
    ["git pull -q --no-rebase --no-edit origin main", inTree("clean")],
    ["git pull --rebase", inTree("clean")],
    "git pull --rebase --autostash -q",
    "git commit -qam wip && git rebase feature",
    ["git fetch -q && git rebase -q -X ours origin/main", inTree("clean")],
    ["git rebase --onto v1.0 HEAD~1", inTree("clean")],
    ["GIT_SEQUENCE_EDITOR='sed -i 1s/pick/drop/' git rebase -i HEAD~1", inTree("clean")],
    ["GIT_SEQUENCE_EDITOR=true git rebase -i --exec 'sed -i 1d src/checkout.ts' HEAD~1", inTree("clean")],
    ["git revert --no-edit HEAD", inTree("clean")],
    ["git revert -n HEAD~1..HEAD", inTree("clean")],
    ["git cherry-pick feature", inTree("clean")],
    ["git cherry-pick -n -X theirs origin/main", inTree("clean")],
    "git commit -qam wip && git cherry-pick --strategy-option=theirs feature",
    ["git am -q -3 patches/0001-currency.patch", inTree("clean")],
    ["git am -q < patches/0001-currency.patch", inTree("clean")],
    ["git bisect start HEAD v1.0 && git bisect good; git bisect bad", inTree("clean")],
    ["git bisect start HEAD v1.0 && git bisect run false; git show -s --oneline", inTree("clean")],
    ["git format-patch -q -1 feature --stdout | git am -q -3", inTree("clean")],
    "export FILTER_BRANCH_SQUELCH_WARNING=1; git commit -qam wip; git filter-branch -f --tree-filter 'rm -f src/checkout.ts' HEAD~1..HEAD",
    [
      "FILTER_BRANCH_SQUELCH_WARNING=1 git filter-branch -f --index-filter 'git rm -q --cached --ignore-unmatch src/checkout.ts' HEAD",
      inTree("clean"),
    ],
  ]),
  ...rows("git patches", "held", [
    "git apply patches/discount.patch",
    "git apply -R patches/holder.patch",
    "git apply --cached patches/discount.patch && git checkout-index -f src/checkout.ts",
    "git diff | git apply -R",
    "git diff src/checkout.ts | git apply --reverse -",
    "git diff HEAD > /tmp/wip.$$.patch && git apply -R /tmp/wip.$$.patch; rm -f /tmp/wip.$$.patch",
    "git apply --reject --whitespace=fix < patches/discount.patch",
    ["git diff -U1 HEAD feature -- src/checkout.ts | git apply --3way", inTree("clean")],
    "git apply --directory=src -p2 patches/discount.patch",
    "git apply --include='src/*' patches/currency.patch",
    `cat <<'EOF' | git apply -
diff --git a/src/checkout.ts b/src/checkout.ts
--- a/src/checkout.ts
+++ b/src/checkout.ts
@@ -1,2 +1,2 @@
-export const total = 0;
+export const total = 9;
 export const currency = "EUR";
EOF`,
  ]),
  ...rows("git plumbing", "held", [
    "git checkout-index -f -a",
    "git checkout-index -fu -- src/checkout.ts",
    "git ls-files -z src | git checkout-index -f -z --stdin",
    "git read-tree -u --reset HEAD",
    "git read-tree --reset -u feature",
    ["git read-tree -m -u HEAD feature", inTree("clean")],
    "git cat-file -p HEAD:src/checkout.ts > src/checkout.ts",
    "git cat-file blob feature:src/checkout.ts | tee src/checkout.ts",
    "git archive HEAD src | tar x",
    "git archive --format=tar -o /tmp/src.$$.tar v1.0 && tar xf /tmp/src.$$.tar; rm /tmp/src.$$.tar",
    "git archive -o src/checkout.ts HEAD docs",
    "git diff --output=src/checkout.ts HEAD~1",
    "git log --output=src/checkout.ts -1",
    "git bundle create src/checkout.ts HEAD",
    "git merge-file src/checkout.ts src/price.ts templates/checkout.ts",
    "git merge-file --theirs -q src/checkout.ts src/cart.ts src/price.ts",
    "git worktree add -q ../other feature && cp ../other/src/checkout.ts src/checkout.ts",
    "git worktree add -q --detach ../base HEAD && mv ../base/src/checkout.ts src/",
    ["git sparse-checkout set docs", inTree("clean")],
    ["git sparse-checkout init --cone && git sparse-checkout add docs", inTree("clean")],
    ["git sparse-checkout set --no-cone '/*' '!/src/checkout.ts'", inTree("clean")],
    [
      String.raw`git config core.sparseCheckout true && printf 'docs/\n' > .git/info/sparse-checkout && git read-tree -mu HEAD`,
      inTree("clean"),
    ],
    'git stash store "$(git stash create)" && git checkout-index -af',
    "git unpack-file HEAD:src/checkout.ts | xargs -I{} mv {} src/checkout.ts",
    "git format-patch -1 --stdout > src/checkout.ts",
    "git hash-object -w src/checkout.ts && git show v1.0:src/checkout.ts >src/checkout.ts",
    "git -c protocol.file.allow=always submodule --quiet add ../origin.git vendor && git submodule --quiet foreach 'rm ../src/checkout.ts'",
    "rm -rf src && git rm -rq --cached src && git -c protocol.file.allow=always submodule --quiet add ../origin.git src",
    "git ls-files -m | xargs git checkout --",
    'git diff --name-only | while read -r f; do git checkout -- "$f"; done',
    "git status --porcelain | awk '{ print $2 }' | xargs rm -f",
    "git for-each-ref --format='%(refname:short)' refs/heads/feature | xargs git checkout -f",
    "git clone -q . ../copy && cp -r ../copy/src .",
  ]),
  ...rows("git aliases and environment", "held", [
    "git -C src checkout -- checkout.ts",
    "git -C . -c advice.detachedHead=false checkout -qf v1.0",
    "cd docs && git -C .. restore src",
    "cd src && git checkout .",
    "cd docs && git checkout :/src",
    "git --git-dir=.git --work-tree=. checkout -- src",
    "GIT_DIR=.git GIT_WORK_TREE=. git reset -q --hard",
    "GIT_WORK_TREE={root} git --git-dir={root}/.git checkout-index -fa",
    "export GIT_DIR=$PWD/.git; git checkout -f feature",
    "git config alias.undo 'checkout --' && git undo src/checkout.ts",
    "git -c alias.nuke='reset --hard' nuke",
    "git -c alias.x='!rm -f src/checkout.ts' x",
    `git config alias.wipe '!f() { git checkout "$@"; }; f' && git wipe -- .`,
    "git checkout -- ':(top,icase)SRC/CHECKOUT.TS'",
    "git checkout -- ':!docs'",
    "git restore ':(glob)**/check*.ts'",
    "git restore -- ':(exclude)src/cart.ts' .",
    "git -c core.editor='rm -f src/checkout.ts;:' commit --allow-empty --amend -q",
    `GIT_EDITOR='sh -c "git restore src/checkout.ts"' git commit --allow-empty -q; true`,
    String.raw`mkdir -p .git/hooks && printf '#!/bin/sh\nrm -f src/checkout.ts\n' > .git/hooks/pre-commit && chmod +x .git/hooks/pre-commit && git commit --allow-empty -qm x`,
    "git -c diff.external='truncate -s 0 src/checkout.ts; true' diff HEAD --ext-diff -- src/checkout.ts",
    "git config filter.up.clean 'tr a-z A-Z' && git config filter.up.smudge 'tr A-Z a-z' && echo 'src/*.ts filter=up' > .gitattributes && rm src/checkout.ts && git checkout -q src",
    "command git checkout -q -- src/checkout.ts",
    "env -u GIT_DIR git stash -q",
    String.raw`\git reset --hard -q`,
    '"$(command -v git)" checkout -- src/checkout.ts',
    'git -C "$(git rev-parse --show-toplevel)" checkout -f',
  ]),
  ...rows("archives", "held", [
    "tar xf archives/src.tar",
    "tar -xzf archives/src.tar.gz -C .",
    "tar -C src -xf archives/flat.tar",
    "tar xf archives/src.tar --overwrite src/checkout.ts",
    "gunzip -c archives/checkout.ts.gz > src/checkout.ts",
    "zcat archives/checkout.ts.gz | tee src/checkout.ts | wc -c",
    "cp archives/checkout.ts.gz src/ && gunzip -f src/checkout.ts.gz",
    "gzip src/checkout.ts",
    "gzip -9 -r src",
    ["xz src/checkout.ts", needs("xz")],
    ["bzip2 -f src/*.ts", needs("bzip2")],
    ["zstd -q --rm src/checkout.ts", needs("zstd")],
    ["lz4 -q -f templates/checkout.ts src/checkout.ts", needs("lz4")],
    ["unzip -qo archives/src.zip", needs("unzip")],
    ["unzip -oq archives/flat.zip -d src", needs("unzip")],
    ["unzip -p archives/flat.zip checkout.ts > src/checkout.ts", needs("unzip")],
    ["zip -qm /tmp/moved.$$.zip src/checkout.ts; rm -f /tmp/moved.$$.zip", needs("zip")],
    ["mkdir -p out && zip -q -r --move out/src.zip src", needs("zip")],
    "tar czf /tmp/backup.$$.tgz --remove-files src/checkout.ts; rm -f /tmp/backup.$$.tgz",
    "tar cf - -C templates checkout.ts | tar xf - -C src",
    "tar cf src/checkout.ts docs",
    "tar xf archives/flat.tar --transform 's,^,src/,'",
    "tar xOf archives/flat.tar checkout.ts > src/checkout.ts",
    "tar --to-command='cat > src/checkout.ts' -xf archives/flat.tar",
    ["python3 -m zipfile -e archives/src.zip .", needs("python3", "unzip")],
    ["busybox tar xf archives/src.tar", needs("busybox")],
    ["cd src && ar q ../lib.a ../templates/checkout.ts && ar xo ../lib.a", needs("ar")],
  ]),
  ...rows("downloads", "held", [
    ["curl -so src/checkout.ts file://{root}/templates/checkout.ts", needs("curl")],
    ['cd src && curl -sO "file://{root}/templates/checkout.ts"', needs("curl")],
    ["curl -fsSL file://{root}/README.md > src/checkout.ts", needs("curl")],
    ["curl --silent --output-dir src --remote-name file://{root}/templates/checkout.ts", needs("curl")],
    ["curl -s file://{root}/scripts/bump.sh | sh", needs("curl")],
    ["bash <(curl -s file://{root}/scripts/bump.sh)", needs("curl")],
    ["curl -s -T templates/checkout.ts file://{root}/src/checkout.ts", needs("curl")],
    [
      String.raw`printf 'url = "file://%s/README.md"\noutput = "src/checkout.ts"\n' "$PWD" | curl -s -K -`,
      needs("curl"),
    ],
    ["curl -s -D src/checkout.ts file://{root}/README.md -o /dev/null", needs("curl")],
    [
      String.raw`python3 -u -m http.server 0 --bind 127.0.0.1 -d templates > server.log 2>&1 &
sleep 1
port=$(sed -n 's/.* port \([0-9]*\) .*/\1/p' server.log)
wget -q -O src/checkout.ts "http://127.0.0.1:$port/checkout.ts"
kill %1`,
      needs("wget", "python3"),
    ],
    [
      `(cd templates && python3 -u -m http.server 0 --bind 127.0.0.1 > ../server.log 2>&1) & sleep 1; cd src && curl -sSO "http://127.0.0.1:$(grep -o 'port [0-9]*' ../server.log | cut -d' ' -f2)/checkout.ts"; pkill -P $!`,
      needs("curl", "python3"),
    ],
    ["wget -t 1 -o src/checkout.ts http://127.0.0.1:9/", needs("wget")],
    ["curl -s http://127.0.0.1:9/checkout.ts > src/checkout.ts || true", needs("curl")],
    "node -e '\n" +
      'const http = require("http");\n' +
      'const server = http.createServer((_, answer) => answer.end("export const served = 1;\\n")).listen(0, async () => {\n' +
      "  const text = await (await fetch(`http://127.0.0.1:${server.address().port}/`)).text();\n" +
      '  fs.writeFileSync("src/checkout.ts", text);\n' +
      "  server.closeAllConnections();\n" +
      "  server.close();\n" +
      "});\n" +
      "'",
    ["scp -q templates/checkout.ts src/checkout.ts", needs("scp")],
  ]),
  ...rows("patch", "held", [
    ["patch -p1 < patches/discount.patch", needs("patch")],
    ["patch -p1 -R -i patches/holder.patch", needs("patch")],
    ["patch -s src/checkout.ts patches/discount.patch", needs("patch")],
    ["cat patches/discount.patch | patch -p1 --no-backup-if-mismatch", needs("patch")],
    ["cd src && patch -p2 < ../patches/discount.patch", needs("patch")],
    ["patch -d src -p2 -i ../patches/currency.patch", needs("patch")],
    [
      `patch -o src/checkout.ts src/price.ts <<'EOF'
--- a/src/price.ts
+++ b/src/price.ts
@@ -1 +1 @@
-export const price = 10;
+export const price = 12;
EOF`,
      needs("patch"),
    ],
    ["diff -u src/checkout.ts templates/checkout.ts | patch -p0", needs("patch")],
    ["diff -e src/checkout.ts templates/checkout.ts | patch -s -e src/checkout.ts", needs("patch", "ed")],
    ["git diff | patch -p1 -R -s", needs("patch")],
    [
      `patch -p1 <<'EOF'
--- a/src/checkout.ts
+++ b/src/checkout.ts
@@ -2,3 +2,2 @@
 export const currency = "EUR";
-export const discount = 15; // heron: not committed yet
 
EOF`,
      needs("patch"),
    ],
    ['for p in patches/discount.patch; do patch -p1 -N -s < "$p" || break; done', needs("patch")],
    ["POSIXLY_CORRECT=1 patch -p1 -b -z .orig -i patches/currency.patch", needs("patch")],
    "sdiff -s -o src/checkout.ts src/cart.ts src/cart.ts",
    [
      "diff3 -m src/checkout.ts src/cart.ts templates/checkout.ts > merged.ts; mv merged.ts src/checkout.ts",
      needs("diff3"),
    ],
  ]),
  ...rows("package scripts", "held", [
    "npm run format",
    "npm run lint:fix --silent",
    "npm run build",
    "npm test",
    "npm t --silent",
    "npm run clean",
    "npm run-script codemod",
    "npm run release",
    "npm --prefix . run generate",
    "npm exec -- prettier --write src/checkout.ts",
    "npm x -c 'eslint --fix src'",
    "npx prettier -w src",
    "npx --no-install eslint . --fix",
    "npx rimraf src",
    "npm pkg set scripts.zap='rm -f src/checkout.ts' && npm run -s zap",
    "npm --silent run generate && npm run -s size",
    "node --run generate",
    "cd docs && npm run -s generate",
    "pnpm format",
    "pnpm exec prettier --write .",
    "yarn run lint:fix",
    "yarn clean",
    "bun run codemod",
    "bunx prettier --write 'src/**/*.ts'",
    ["make fmt", needs("make")],
    ["make clean", needs("make")],
    ["make -s bump", needs("make")],
    ["make -B gen", needs("make")],
    ["make src/checkout.ts", needs("make")],
    ["make -C . test gen", needs("make")],
    ["make --eval='x: ; @echo > src/checkout.ts' x", needs("make")],
    ["make SRC=src/cart.ts fmt clean", needs("make")],
    "sh scripts/bump.sh",
    "bash -x ./scripts/bump.sh",
    ". ./scripts/bump.sh",
    "bash scripts/wipe.sh src/checkout.ts",
    "find src -name 'ch*' -exec bash scripts/wipe.sh {} +",
    "chmod +x scripts/bump.sh && ./scripts/bump.sh",
    "source scripts/lib.sh && touch_up src/checkout.ts",
    `. config/paths.env; echo '// env' >> "$TARGET"`,
    "./node_modules/.bin/prettier --write src/checkout.ts",
    "PATH=$PWD/node_modules/.bin:$PATH biome check --write src",
  ]),
  ...rows("compilers and formatters", "held", [
    ["echo 'int main(void) { return 0; }' | gcc -E -x c - -o src/checkout.ts", needs("gcc")],
    ["echo 'int x;' > x.c && gcc -c x.c -osrc/checkout.ts", needs("gcc")],
    [`echo '#include "a.h"' > x.c && touch a.h && cc -M -MF src/checkout.ts x.c`, needs("cc")],
    ["echo .text | as -o src/checkout.ts", needs("as")],
    [
      "echo '.globl _start; _start: nop' | as -o /tmp/a.$$.o && ld -o src/checkout.ts /tmp/a.$$.o; rm -f /tmp/a.$$.o",
      needs("ld", "as"),
    ],
    ["echo 'int x;' | gcc -x c -c -o x.o - && objcopy x.o src/checkout.ts", needs("gcc", "objcopy")],
    "npx tsc --outFile src/checkout.ts src/cart.ts",
    "npx esbuild src/cart.ts --bundle --outfile=src/checkout.ts",
    "node_modules/.bin/esbuild src/cart.ts --outdir=src",
    "npx openapi-typescript docs/api.yaml -o src/checkout.ts",
    "npx babel src/cart.ts --out-file src/checkout.ts",
    "protoc --out=src/checkout.ts shop.proto",
    "clang-format -i src/checkout.ts",
    "gofmt -w src",
    "black src/checkout.ts",
    "ruff format src",
    ["openssl rand -hex -out src/checkout.ts 8", needs("openssl")],
    ["openssl enc -aes-128-cbc -k pw -pbkdf2 -in README.md -out src/checkout.ts", needs("openssl")],
    "iconv -f utf-8 -t utf-16 src/checkout.ts -o src/checkout.ts",
    [
      `echo '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>' | rsvg-convert -o src/checkout.ts`,
      needs("rsvg-convert"),
    ],
    ["yq . config/target.json > src/checkout.ts", needs("yq")],
  ]),
  ...rows("find and xargs", "held", [
    String.raw`find src -name '*.ts' -exec sed -i 's/const/let/' {} \;`,
    "find . -path ./node_modules -prune -o -name checkout.ts -print -exec truncate -s 0 {} +",
    String.raw`find src -type f \( -name 'check*' -o -name '*.bak' \) -delete`,
    "find . -name checkout.ts -not -path '*/templates/*' -delete",
    "find src -name 'check*' -fprint src/checkout.ts",
    String.raw`find src -maxdepth 1 -type f -execdir mv {} {}.old \;`,
    "find src -type f | xargs rm",
    "find src -name '*.ts' -print0 | xargs -0 -n1 perl -pi -e 's/total/sum/'",
    "ls src/*.ts | xargs -I{} cp templates/checkout.ts {}",
    "git ls-files src | xargs -n 1 sed -i '1d'",
    "grep -rlZ EUR src | xargs -0 sed -i 's/EUR/USD/g'",
    "echo src/checkout.ts | xargs -t rm -f",
    "xargs -a config/files.txt rm",
    String.raw`xargs -d '\n' -P 2 -I % sh -c 'echo "// %" >> "%"' < config/files.txt`,
    'while IFS= read -r file; do : > "$file"; done < config/files.txt',
    'for f in src/*.ts; do mv "$f" "${f%.ts}.mts"; done',
    'for f in $(git diff --name-only); do cp "$f" "$f.bak" && git checkout -q -- "$f"; done',
    `for f in $(cat config/files.txt); do echo '// eof' >> "$f"; done`,
    `find src -name '*.ts' | while read -r f; do { echo '// generated'; cat "$f"; } > "$f.tmp" && mv "$f.tmp" "$f"; done`,
    'mapfile -t files < config/files.txt; rm -- "${files[@]}"',
    String.raw`find "$PWD" -samefile src/checkout.ts -exec cp README.md {} \;`,
    String.raw`find src -name '*.ts' -ok rm {} \; < <(yes)`,
    String.raw`find links -lname '*checkout.ts' -exec sh -c 'echo >> "$1"' _ {} \;`,
    'find src -inum "$(stat -c %i src/checkout.ts)" -delete',
  ]),
  ...rows("variables and expansion", "held", [
    "f=src/checkout.ts; echo '// x' >> $f",
    'FILE=checkout; rm "src/${FILE}.ts"',
    `dir=src name=checkout ext=ts; printf '' > "$dir/$name.$ext"`,
    'base=src/checkout; cp templates/checkout.ts "$base".ts',
    "rm src/{checkout,cart}.ts",
    "rm src/c*.ts",
    "rm src/[c]heckout.ts",
    "rm -f src/check???.ts",
    "echo > src/checkou[t].ts",
    "shopt -s globstar; sed -i 's/EUR/JPY/' **/checkout.ts",
    `shopt -s extglob
rm src/!(cart|price).ts`,
    'files=(src/*.ts); for i in "${!files[@]}"; do [ "$i" -eq 1 ] && rm "${files[$i]}"; done',
    'declare -A at=([held]=src/checkout.ts); truncate -s 0 "${at[held]}"',
    'p=src/checkout.js; rm "${p/.js/.ts}"',
    'p=SRC/CHECKOUT.TS; : > "${p,,}"',
    `set -- src checkout ts; echo '//' >> "$1/$2.$3"`,
    'name=target; target=src/checkout.ts; rm "${!name}"',
    'declare -n ref=dest; dest=src/checkout.ts; echo "// ref" >> "$ref"',
    `printf -v out '%s/%s.ts' src checkout; rm -f "$out"`,
    'read -r out < config/files.txt; rm "$out"',
    'IFS=/ ; parts=(src checkout.ts); rm "${parts[*]}"',
    String.raw`rm $'src/\x63heckout.ts'`,
    `rm "sr"c/chec'kout'.ts`,
    String.raw`rm src/check\out.ts`,
    "rm $(echo src/checkout.ts)",
    "rm `ls src/check*`",
    ': "${OUT:=src/checkout.ts}"; echo >> "$OUT"',
    "n=2; head -n $((n + 1)) src/checkout.ts > /tmp/head.$$ && mv /tmp/head.$$ src/checkout.ts",
    'i=0; while ((i < 3)); do echo "// $i" >> src/checkout.ts; ((i += 1)); done',
    "cmd=rm; $cmd src/checkout.ts",
    "args=(-i 's/EUR/HUF/' src/checkout.ts); sed \"${args[@]}\"",
    'content=$(<src/checkout.ts); echo "${content//EUR/USD}" > src/checkout.ts',
    "cp templates/checkout.ts ~+/src/checkout.ts",
    "cd src; rm ~+/checkout.ts",
    'rm "$(dirname src/cart.ts)/$(basename templates/checkout.ts)"',
    'rm "$(realpath src/checkout.ts)"',
    'rm "$(sed -n 1p config/files.txt)"',
    `rm "$(node -p 'require("./config/target.json").target')"`,
    "cp templates/checkout.ts {root}/src/checkout.ts",
    "echo src/checkout.ts && rm $_",
  ]),
  ...rows("folders, functions and eval", "held", [
    "cd src && rm checkout.ts",
    "cd src; cd ..; cd ./src && echo '//' >> checkout.ts",
    "pushd src > /dev/null && sed -i 1d checkout.ts && popd > /dev/null",
    "pushd docs >/dev/null; pushd ../src >/dev/null; : > checkout.ts; dirs -c",
    "(cd src && mv checkout.ts ../docs/)",
    "(cd docs; cd -P ../links/src; echo > checkout.ts)",
    "cd links/src && cp ../templates/checkout.ts .",
    "CDPATH=. cd src >/dev/null; truncate -s 5 checkout.ts",
    'fix() { sed -i "s/$1/$2/" src/checkout.ts; }; fix EUR USD',
    `function write_to { cat > "$1"; }; echo 'export {};' | write_to src/checkout.ts`,
    `backup() { local f=$1; mv "$f" "$f.$(date +%s)"; }
backup src/checkout.ts`,
    "trap 'rm -f src/checkout.ts' EXIT; ls src",
    `trap 'echo "// hup" >> src/checkout.ts' USR1; kill -USR1 $$`,
    'eval "rm src/checkout.ts"',
    "eval 'f=src/check'; eval \"echo >> ${f}out.ts\"",
    `c='sed -i 1d'; eval "$c src/checkout.ts"`,
    `bash -c 'echo "// $0" >> src/checkout.ts'`,
    `bash -c 'rm "$@"' _ src/checkout.ts`,
    `sh -c "cd src && sh -c 'rm checkout.ts'"`,
    `source <(echo 'echo "// sourced" >> src/checkout.ts')`,
    ". /dev/stdin <<< 'rm src/checkout.ts'",
    "echo 'rm src/checkout.ts' | bash",
    String.raw`printf 'cd src\n: > checkout.ts\n' > /tmp/step.$$.sh; bash /tmp/step.$$.sh; rm /tmp/step.$$.sh`,
    `shopt -s expand_aliases
alias put='tee src/checkout.ts'
echo 'export {};' | put`,
    "BASH_ENV=scripts/bump.sh bash -c true",
    "builtin cd src && command rm checkout.ts",
    'rm() { command rm -f "$@"; }; rm src/checkout.ts',
    "w() { : > src/checkout.ts; }; export -f w; bash -c w",
    "! true || (set -e; cd src; rm -f checkout.ts)",
    "time { cd src; rm checkout.ts; }",
    "test -d missing || { mkdir missing; mv src/checkout.ts missing/; }",
    "until ! test -e src/checkout.ts; do rm src/checkout.ts; done",
    'select f in src/checkout.ts; do rm "$f"; break; done <<< 1',
    `PROMPT_COMMAND='rm -f src/checkout.ts'; eval "$PROMPT_COMMAND"`,
  ]),
  ...rows("descriptors and substitution", "held", [
    "exec 3> src/checkout.ts; echo 'export {};' >&3; exec 3>&-",
    "exec >> src/checkout.ts; echo '// all output'",
    `exec {fd}>>src/checkout.ts; echo '// named' >&"$fd"`,
    "exec 4<> src/checkout.ts; printf 'EXPORT' >&4",
    "exec 5>>src/checkout.ts 1>&5; date",
    "exec 3< src/checkout.ts; echo > /proc/self/fd/3",
    "exec 3>>src/checkout.ts; echo '// dev' > /dev/fd/3",
    "echo hello > >(cat > src/checkout.ts); sleep 0.3",
    "tee >(tr a-z A-Z > src/checkout.ts) < README.md > /dev/null; sleep 0.3",
    "cp <(git show v1.0:src/checkout.ts) src/checkout.ts",
    "cat <(echo '// header') <(git show HEAD:src/checkout.ts) > src/checkout.ts",
    'coproc W { cat > src/checkout.ts; }; echo \'export {};\' >&"${W[1]}"; eval "exec ${W[1]}>&-"; wait',
    "coproc rm src/checkout.ts; wait",
    "echo x 3>src/checkout.ts >&3",
    "{ echo a; echo b >&2; } 2>> src/checkout.ts",
    "echo > /proc/self/cwd/src/checkout.ts",
    "echo > /proc/$$/cwd/src/checkout.ts",
    "rm /proc/self/cwd/src/checkout.ts",
    "mkfifo out.fifo && (cat out.fifo > src/checkout.ts &) && echo 'export {};' > out.fifo; sleep 0.2; rm out.fifo",
    "bash -xc 'ls' 2> src/checkout.ts",
    "exec 7>trace.log; BASH_XTRACEFD=7; set -x; : > src/checkout.ts",
    "cat README.md | (exec 1> src/checkout.ts; cat)",
    "echo > /proc/self/root{root}/src/checkout.ts",
  ]),
  ...rows("links and renamed folders", "held", [
    "mv src source",
    "mv src /tmp/src.$$ && rm -rf /tmp/src.$$",
    "mv src src.old && mkdir src && cp templates/checkout.ts src/",
    "mv src a && mv a/checkout.ts a/x.ts && mv a src",
    "cp -r src src2 && rm -rf src && mv src2 src && truncate -s 1 src/checkout.ts",
    "ln -s src code && rm code/checkout.ts",
    "ln -sfn src current; echo > current/checkout.ts",
    `ln -s "$PWD/src/checkout.ts" /tmp/link.$$ && echo '//' >> /tmp/link.$$; rm /tmp/link.$$`,
    "echo '// by link' >> links/checkout.ts",
    "cp -f templates/checkout.ts links/checkout.ts",
    "sed -i --follow-symlinks 's/EUR/USD/' links/checkout.ts",
    ": > links/src/checkout.ts",
    "rm links/src/checkout.ts",
    "tee -a links/checkout.ts < README.md",
    "mv src/checkout.ts src/checkout.real.ts && ln -s checkout.real.ts src/checkout.ts",
    "rm -rf src && ln -s templates src",
    "ln src/checkout.ts same.ts && echo '// same inode' >> same.ts",
    "cp -l src/checkout.ts alias.ts; truncate -s 0 alias.ts",
    "cd .. && rm -rf shop/src",
    "mv ../shop/src/checkout.ts ..",
    'mv "$PWD" ../shop2; mv ../shop2/src ../shop2/lib; mv ../shop2 ../shop',
    "cp -a . ../shop.bak && rm -rf -- * && cp -a ../shop.bak/docs .",
    'mkdir -p src/old && mv -v src/checkout.ts "$_"',
    ["bwrap --bind / / --dev /dev rm src/checkout.ts", needs("bwrap")],
    ["echo '// shared' >> shared/checkout.ts", { ...inTree("hard-linked"), apart: "hard link" }],
    ["truncate -s 0 shared/checkout.ts", { ...inTree("hard-linked"), apart: "hard link" }],
    ["cat templates/checkout.ts > shared/checkout.ts", { ...inTree("hard-linked"), apart: "hard link" }],
    [
      String.raw`node -e 'fs.appendFileSync("shared/checkout.ts", "// x\n")'`,
      { ...inTree("hard-linked"), apart: "hard link" },
    ],
  ]),
  ...rows("permissions", "held", [
    "chmod 000 src/checkout.ts; rm -f src/checkout.ts",
    "chmod u+w src/checkout.ts && echo '// writable' >> src/checkout.ts",
    "chmod -R a+rwX src && rm -f src/checkout.ts",
    "chmod 444 src/checkout.ts && sed -i 1d src/checkout.ts",
    "umask 000; cp --remove-destination templates/checkout.ts src/checkout.ts",
    "install -m 600 /dev/null src/checkout.ts",
    "[ -w src/checkout.ts ] && : > src/checkout.ts",
    "touch -d '1 day ago' src/checkout.ts && rm -f src/checkout.ts",
    "chmod a-w src; mv -f src/checkout.ts docs/; chmod u+w src",
    "cp --attributes-only src/checkout.ts x.ts && cat x.ts > src/checkout.ts",
  ]),
  ...rows("databases", "held", [
    [`sqlite3 :memory: "select writefile('src/checkout.ts', 'export {};')"`, needs("sqlite3")],
    ["sqlite3 :memory: -cmd '.output src/checkout.ts' 'select 1'", needs("sqlite3")],
    ["rm -f src/checkout.ts; sqlite3 src/checkout.ts 'create table t(a)'", needs("sqlite3")],
    [
      `sqlite3 out.db <<'EOF'
create table price(name text, value int);
insert into price values ('total', 3);
.mode list
.once src/checkout.ts
select 'export const ' || name || ' = ' || value || ';' from price;
EOF`,
      needs("sqlite3"),
    ],
    ["sqlite3 :memory: '.shell rm src/checkout.ts'", needs("sqlite3")],
    [`sqlite3 :memory: "select 'export const total = 4;'" > src/checkout.ts`, needs("sqlite3")],
    ["sqlite3 :memory: 'create table t(a)' '.backup src/new.db' && mv src/new.db src/checkout.ts", needs("sqlite3")],
    [
      String.raw`python3 -c 'import sqlite3, pathlib; v = sqlite3.connect(":memory:").execute("select 42").fetchone()[0]; pathlib.Path("src", "checkout.ts").write_text(f"export const v = {v};\n")'`,
      needs("python3"),
    ],
  ]),
  ...rows("pipelines", "held", [
    "git show feature:src/checkout.ts | tee src/checkout.ts",
    "echo '// tail' | tee -a src/checkout.ts src/cart.ts > /dev/null",
    "cat README.md | tee docs/copy.md src/checkout.ts | wc -l",
    "grep -v heron src/checkout.ts | cat > src/x.ts; mv src/x.ts src/checkout.ts",
    String.raw`tr -d '\r' < src/checkout.ts | tr a-z A-Z | dd of=src/checkout.ts status=none`,
    "cat src/checkout.ts | sort -o src/checkout.ts",
    "grep -v discount src/checkout.ts > src/checkout.ts",
    "head -2 src/checkout.ts | (sleep 0.1; cat > src/checkout.ts)",
    'x=$(grep -v heron src/checkout.ts); tee src/checkout.ts <<< "$x" >/dev/null',
    "yes '// pad' | head -n 5 >> src/checkout.ts",
    "seq 3 | sed 's/.*/export const n& = &;/' | cat - src/checkout.ts > t && cat t > src/checkout.ts && rm t",
    "sort src/checkout.ts | uniq | { rm src/checkout.ts && cat > src/checkout.ts; }",
    "node -p 'JSON.stringify(process.versions)' | sed 's/^/export const v = /' | tee ./src/checkout.ts >/dev/null",
    "pr -t -n src/checkout.ts | tee src/checkout.ts.lst >/dev/null && mv src/checkout.ts.lst src/checkout.ts",
  ]),
  ...rows("decoders", "held", [
    "echo ZXhwb3J0IHt9Owo= | base64 -d > src/checkout.ts",
    "base64 -d <<< cm0gc3JjL2NoZWNrb3V0LnRz | bash",
    ["echo 6578706f7274207b7d3b0a | xxd -r -p > src/checkout.ts", needs("xxd")],
    ["echo '00000000: 58' | xxd -r - src/checkout.ts", needs("xxd")],
    ["echo 2f2f0a | xxd -r -p - src/checkout.ts", needs("xxd")],
    String.raw`printf '\x65\x78\x70\x6f\x72\x74 {};\n' > src/checkout.ts`,
    String.raw`printf '%b' 'export {};\n' | tee src/checkout.ts`,
    String.raw`printf '\162\155 src/checkout.ts' | sh`,
    "echo 'ez fep/purpxbhg.gf' | tr a-z n-za-m | sh",
    ["openssl base64 -d -in <(echo ZXhwb3J0IHt9Owo=) -out src/checkout.ts", needs("openssl")],
    'rm "$(echo c3JjL2NoZWNrb3V0LnRz | base64 --decode)"',
    [`python3 -c 'import base64; exec(base64.b64decode("b3Blbigic3JjL2NoZWNrb3V0LnRzIiwidyIp"))'`, needs("python3")],
    `node -e 'eval(Buffer.from("ZnMucm1TeW5jKCJzcmMvY2hlY2tvdXQudHMiKQ==", "base64").toString())'`,
    [
      "base64 src/checkout.ts > /tmp/b.$$ && base64 -d /tmp/b.$$ | head -c 40 > src/checkout.ts; rm /tmp/b.$$",
      needs("base64"),
    ],
  ]),
  ...rows("wrappers", "held", [
    "env FOO=1 rm src/checkout.ts",
    `env -i PATH="$PATH" sh -c 'rm src/checkout.ts'`,
    "env -C src rm checkout.ts",
    "env -S 'sed -i 1d src/checkout.ts'",
    "nohup sh scripts/bump.sh > /dev/null 2>&1",
    "timeout 5 sed -i 1d src/checkout.ts",
    "timeout -k 1s --foreground 3s bash -c ': > src/checkout.ts'",
    "nice -n 10 rm src/checkout.ts",
    ["ionice -c 3 cp templates/checkout.ts src/checkout.ts", needs("ionice")],
    "setsid -w rm src/checkout.ts",
    "stdbuf -oL tee src/checkout.ts < README.md",
    ["script -qec 'rm src/checkout.ts' /dev/null", needs("script")],
    ["script -q -c 'ls docs' src/checkout.ts", needs("script")],
    ["busybox rm src/checkout.ts", needs("busybox")],
    ["busybox sh -c 'echo > src/checkout.ts'", needs("busybox")],
    ["busybox sed -i 's/EUR/USD/' src/checkout.ts", needs("busybox")],
    ["busybox truncate -s 0 src/checkout.ts", needs("busybox")],
    [String.raw`busybox find src -name checkout.ts -exec busybox unlink {} \;`, needs("busybox")],
    [`flock out.lock -c 'echo "// locked" >> src/checkout.ts'`, needs("flock")],
    ["flock src/checkout.ts truncate -s 0 src/checkout.ts", needs("flock")],
    ["taskset 1 sh -c 'cat templates/checkout.ts > src/checkout.ts'", needs("taskset")],
    ["strace -f -o /dev/null rm src/checkout.ts", needs("strace")],
    ["strace -o src/checkout.ts true", needs("strace")],
    ["unshare -Ur rm src/checkout.ts", needs("unshare")],
    ["fakeroot rm src/checkout.ts", needs("fakeroot")],
    ["prlimit --nofile=64 sed -i 1d src/checkout.ts", needs("prlimit")],
    "exec rm src/checkout.ts",
    "command -p rm src/checkout.ts",
    "/bin/rm src/checkout.ts",
    "time -p rm src/checkout.ts",
    'chronic() { "$@" > /dev/null; }; chronic rm src/checkout.ts',
    "PATH=/usr/bin:/bin rm src/checkout.ts",
    "LC_ALL=C LANG=C sed -i 's/EUR/USD/' src/checkout.ts",
    "nohup nice env X=1 timeout 4 bash -c 'rm src/checkout.ts' > /dev/null 2>&1",
    ["/lib64/ld-linux-x86-64.so.2 /bin/rm src/checkout.ts", needs("/lib64/ld-linux-x86-64.so.2")],
  ]),
  ...rows("background jobs and servers", "held", [
    "(sleep 0.2; rm src/checkout.ts) & wait",
    "sh scripts/bump.sh & wait $!",
    "nohup sh -c 'sleep 0.2; echo >> src/checkout.ts' >/dev/null 2>&1 & sleep 0.6",
    "setsid sh -c 'sleep 0.2; rm src/checkout.ts' < /dev/null > /dev/null 2>&1 & sleep 0.8",
    "{ sleep 0.1; : > src/checkout.ts; } & disown; sleep 0.5",
    `for f in src/*.ts; do sed -i 's/EUR/USD/; s/ada/eve/' "$f" & done; wait`,
    `node -e 'child_process.spawn("sh", ["-c", "sleep 0.2; rm src/checkout.ts"], { detached: true, stdio: "ignore" }).unref()'; sleep 0.8`,
    ["tmux -L own -f /dev/null new-session -d 'rm src/checkout.ts'; sleep 0.6", needs("tmux")],
    ["tmux -L corpus run-shell 'rm {root}/src/checkout.ts'", { ...needs("tmux"), apart: "server outside" }],
    [
      "tmux -L corpus new-window -d -c {root} 'echo >> src/checkout.ts'; sleep 0.6",
      { ...needs("tmux"), apart: "server outside" },
    ],
    [
      "git show HEAD:src/checkout.ts | tmux -L corpus load-buffer - && tmux -L corpus save-buffer {root}/src/checkout.ts",
      { ...needs("tmux"), apart: "server outside" },
    ],
    [
      `python3 -c 'import multiprocessing as m, os; p = m.get_context("fork").Process(target=os.remove, args=("src/checkout.ts",)); p.start(); p.join()'`,
      needs("python3"),
    ],
    [
      `python3 -c 'import threading, pathlib; t = threading.Thread(target=pathlib.Path("src/checkout.ts").write_text, args=("",)); t.start(); t.join()'`,
      needs("python3"),
    ],
    String.raw`node -e '
const { Worker } = require("worker_threads");
new Worker("require(\"fs\").writeFileSync(\"src/checkout.ts\", \"\")", { eval: true });
'`,
  ]),
  ...rows("agent sessions", "held", [
    [
      "cd {root} && python3 scripts/report.py; sed -i 's/discount = 15/discount = 10/' src/checkout.ts && git diff --stat && node scripts/test.mjs",
      needs("python3"),
    ],
    "git status --short && git stash -q && git pull -q --ff-only && git stash pop",
    "cp src/checkout.ts /tmp/checkout.$$.bak && sed -i 's/total/sum/g' src/checkout.ts && node scripts/test.mjs && rm /tmp/checkout.$$.bak",
    String.raw`set -e
for name in cart price checkout; do
  file="src/$name.ts"
  if ! grep -q '^// @license' "$file"; then
    printf '// @license MIT\n%s\n' "$(cat "$file")" > "$file"
  fi
done`,
    `# Start over from the committed version
git diff -- src/checkout.ts | head -5
git checkout HEAD -- src/checkout.ts   # drops the discount
git status --short`,
    `tmp=$(mktemp) && trap 'rm -f "$tmp"' EXIT
awk '!/heron/' src/checkout.ts > "$tmp"
cat "$tmp" > src/checkout.ts`,
    "grep -n discount src/checkout.ts || true; npx eslint --fix src/checkout.ts && npx prettier --check src",
    'echo "Cleaning" && rm -rf dist out src/*.ts~ src/checkout.* && echo "Clean"',
    "cat > codemod.mjs <<'EOF'\n" +
      'import { readdirSync, readFileSync, writeFileSync } from "node:fs";\n' +
      "\n" +
      'for (const name of readdirSync("src")) {\n' +
      "  const file = new URL(`./src/${name}`, import.meta.url);\n" +
      '  const text = readFileSync(file, "utf8");\n' +
      '  const next = text.replace(/export const (\\w+)/g, "export let $1");\n' +
      "  if (next !== text) writeFileSync(file, next);\n" +
      "}\n" +
      "EOF\n" +
      "node codemod.mjs && rm codemod.mjs",
    "test -f src/checkout.ts && { mv src/checkout.ts src/checkout.ts.orig; cp src/checkout.ts.orig src/checkout.ts; echo 'export default checkout;' >> src/checkout.ts; }",
    "git diff --quiet || git commit -qam 'wip' && git checkout -q feature",
    "git branch -f backup && git add . && git commit -qm save && git switch -q side && git log --oneline -2",
    `n=$(grep -n 'export function' src/checkout.ts | cut -d: -f1); { head -n $((n - 1)) src/checkout.ts; echo '/** Sums up the cart. */'; tail -n +"$n" src/checkout.ts; } > src/checkout.tmp && mv src/checkout.tmp src/checkout.ts`,
    "npm run -s size && npm run -s generate 2>&1 | tail -5",
    String.raw`node scripts/test.mjs || exit 1; printf '%s\n' '' 'export type Cart = readonly number[];' >> src/checkout.ts; tail -3 src/checkout.ts`,
    "diff -q src/checkout.ts templates/checkout.ts || cp -v templates/checkout.ts src/checkout.ts",
    [
      String.raw`for f in $(grep -rl "export const" src); do python3 -c "
import sys
p = sys.argv[1]
t = open(p).read()
open(p, 'w').write(t.rstrip() + '\n\n')
" "$f"; done`,
      needs("python3"),
    ],
  ]),
  ...rows("reading files", "nothing", [
    "cat src/checkout.ts",
    "cat -A src/checkout.ts | head -20",
    "head -n 5 src/checkout.ts && tail -n 3 src/checkout.ts",
    "sed -n '1,40p' src/checkout.ts",
    "sed -n '/export function/,/^}/p' src/checkout.ts",
    "sed 's/total/sum/g' src/checkout.ts",
    "sed -e '/discount/d' -e 's/EUR/USD/' src/checkout.ts | head",
    "nl -ba src/checkout.ts | sed -n '3,8p'",
    "wc -l src/*.ts",
    "ls -la src && file src/checkout.ts 2>/dev/null || stat src/checkout.ts",
    "stat -c '%s %Y' src/checkout.ts",
    "md5sum src/checkout.ts templates/checkout.ts",
    "od -c src/checkout.ts | head -3",
    ["xxd src/checkout.ts | head -2", needs("xxd")],
    "tac src/checkout.ts | head -1",
    "cut -d= -f1 src/checkout.ts | sort | uniq -c | sort -rn",
    "diff src/checkout.ts templates/checkout.ts",
    "diff -u <(git show HEAD:src/checkout.ts) src/checkout.ts",
    "cmp -s src/checkout.ts templates/checkout.ts && echo same || echo different",
    'while IFS= read -r line; do echo "${#line}"; done < src/checkout.ts',
    'mapfile -t lines < src/checkout.ts; echo "${#lines[@]} lines"',
    'echo "$(<src/checkout.ts)" | wc -c',
    'exec 3< src/checkout.ts; read -r first <&3; echo "$first"',
    "test -f src/checkout.ts && [ -w src/checkout.ts ] && echo writable",
    "readlink -f links/checkout.ts",
    "du -sh src; tree src 2>/dev/null || find src -type f",
    "column -t -s= src/checkout.ts 2>/dev/null | head -4; true",
    "base64 -w0 src/checkout.ts | head -c 60",
    ["vim -es -u NONE -c '%p' -c 'qa!' src/checkout.ts", needs("vim")],
    [String.raw`printf '1,3p\nq\n' | ed -s src/checkout.ts`, needs("ed")],
  ]),
  ...rows("searching", "nothing", [
    'grep -n "discount" src/checkout.ts',
    `grep -rn "export const" src --include='*.ts' | sort`,
    'grep -rnE "rm -rf|sed -i" scripts Makefile package.json',
    "grep -c '>' src/checkout.ts",
    "grep -rl checkout . --exclude-dir=node_modules --exclude-dir=.git | head -20",
    "grep -q 'total = 0' src/checkout.ts && echo found",
    "git grep -n checkout -- '*.ts' '*.json'",
    `git grep -n 'writeFileSync("src/checkout.ts"' || true`,
    "find . -name '*.ts' -not -path './node_modules/*' | sort",
    "find src -type f -exec wc -l {} +",
    "find src -name '*.ts' -print0 | xargs -0 grep -l total",
    "find . -newer README.md -name 'checkout*' -type f | head",
    "xargs -a config/files.txt wc -c",
    'for f in src/*.ts; do echo "== $f"; head -1 "$f"; done',
    ["awk '/export/ { n++ } END { print n }' src/checkout.ts", needs("awk")],
    [`awk -F'[ =]+' '$1 == "export" && $2 == "const" { print $3 > "/dev/stderr" }' src/checkout.ts`, needs("awk")],
    [`awk '$3 > 2 { print FILENAME ": " $0 }' src/checkout.ts`, needs("awk")],
    `perl -ne 'print "$.: $_" if /discount/' src/checkout.ts`,
    String.raw`perl -0777 -ne 'print length($_), "\n"' src/checkout.ts`,
    String.raw`grep -o 'src/[a-z]*\.ts' config/files.txt | xargs ls -l`,
  ]),
  ...rows("git reading", "nothing", [
    "git status",
    "git status --short --branch",
    "git diff",
    "git diff --stat HEAD -- src/checkout.ts",
    "git diff --cached --name-only",
    "git diff HEAD~1 HEAD -- src | head -40",
    "git log --oneline -5 -- src/checkout.ts",
    "git log -p -1 --follow src/checkout.ts",
    "git log --graph --all --oneline --decorate",
    "git log -S discount --oneline -- src",
    "git blame -L 1,3 src/checkout.ts",
    "git show HEAD:src/checkout.ts | head -5",
    "git show --stat feature",
    "git show v1.0:src/checkout.ts > /tmp/old-checkout.$$.ts; rm /tmp/old-checkout.$$.ts",
    "git branch -avv",
    "git stash list",
    "git stash show -p 2>/dev/null | head; true",
    "git stash create >/dev/null; git status -s",
    "git reflog -5",
    "git rev-parse --show-toplevel HEAD",
    "git ls-files -s src",
    "git ls-tree -r HEAD --name-only | grep checkout",
    "git cat-file -p HEAD:src/checkout.ts | wc -l",
    "git check-ignore -v out/x.log",
    "git clean -nd",
    "git rm --dry-run -f src/checkout.ts",
    "git mv -n src/checkout.ts src/other.ts",
    "git add -n src/checkout.ts",
    "git commit --dry-run -m 'Remove src/checkout.ts'",
    "git apply --check patches/discount.patch",
    "git apply --stat patches/discount.patch",
    "git merge-base HEAD feature",
    'git merge-tree "$(git merge-base HEAD feature)" HEAD feature | head',
    "git fetch -q origin && git log --oneline HEAD..origin/main",
    "git worktree list",
    "git worktree add -q ../review feature && cat ../review/src/checkout.ts",
    "git config --get-regexp '^(user|alias)'",
    "git -C src diff --stat -- checkout.ts",
    "git --no-pager diff --no-index src/checkout.ts templates/checkout.ts | head -20",
    "git reset -q; git diff --name-only",
    "git format-patch -1 --stdout | head -5",
    "git archive HEAD src | tar t",
    "git shortlog -sn HEAD",
    "git describe --tags --always --dirty",
    "git checkout -q main",
    "git switch main 2>&1 | head -1",
    "git branch spike && git branch -D spike",
    "git tag v1.1 && git tag -d v1.1",
    "git read-tree --dry-run -m HEAD",
    "git hash-object src/checkout.ts",
  ]),
  ...rows("tests and builds", "nothing", [
    "node scripts/test.mjs",
    "npm run -s check",
    "npm run check 2>&1 | tail -5",
    "npm run",
    "npm run size",
    "npm run lint",
    "npm run -s format:check",
    "npx prettier --check src/checkout.ts",
    "npx eslint src --max-warnings 0",
    "npx tsc --noEmit",
    "npx esbuild src/checkout.ts --outfile=/tmp/checkout.js; rm -f /tmp/checkout.js",
    "mkdir -p out && npx tsc --outDir out src/checkout.ts && ls out",
    "npx jscodeshift --dry -t scripts/transform.cjs src",
    "pnpm lint",
    "yarn check",
    "black --check src",
    "ruff check src/checkout.ts",
    "gofmt -l src",
    ["make test", needs("make")],
    ["make -n clean", needs("make")],
    ["make show | wc -l", needs("make")],
    ["make -n gen bump | grep -c checkout", needs("make")],
    "timeout 4 node scripts/test.mjs > test.log 2>&1; tail -1 test.log",
    "time npm run -s check",
    "CI=1 FORCE_COLOR=0 node scripts/test.mjs | tee out.log",
    "bash -n scripts/bump.sh && echo ok",
    "node --check scripts/generate.mjs",
    [String.raw`printf 'int main(void) { return 0; }\n' | gcc -x c -fsyntax-only -`, needs("gcc")],
    "node scripts/test.mjs & wait $!",
  ]),
  ...rows("programs that only read", "nothing", [
    `node -e 'console.log(require("fs").readFileSync("src/checkout.ts", "utf8").length)'`,
    `node -p 'fs.statSync("src/checkout.ts").size'`,
    `node -p 'JSON.parse(fs.readFileSync("config/target.json")).target'`,
    `node -e 'fs.createReadStream("src/checkout.ts").pipe(process.stdout)'`,
    `node --input-type=module -e 'import { readdir } from "node:fs/promises"; console.log(await readdir("src"));'`,
    "node <<'EOF'\n" +
      'const { readFileSync, writeFileSync } = require("node:fs");\n' +
      'const text = readFileSync("src/checkout.ts", "utf8");\n' +
      'writeFileSync("report.log", `${text.split("\\n").length} lines\\n`);\n' +
      "EOF",
    `node -e 'const s = fs.readFileSync("src/checkout.ts", "utf8"); console.log(s.replace(/EUR/g, "USD"))'`,
    `node -e 'console.log(child_process.execSync("git diff --stat", { encoding: "utf8" }))'`,
    [`python3 -c "print(open('src/checkout.ts').read().count('total'))"`, needs("python3")],
    [
      `python3 - <<'EOF'
from pathlib import Path

for path in sorted(Path("src").glob("*.ts")):
    print(path, len(path.read_text().splitlines()))
EOF`,
      needs("python3"),
    ],
    [
      String.raw`python3 -c 'import re; print(re.findall(r"const (\w+)", open("src/checkout.ts", "r").read()))'`,
      needs("python3"),
    ],
    [
      `python3 -c 'import subprocess; print(subprocess.check_output(["git", "log", "-1", "--", "src/checkout.ts"], text=True))'`,
      needs("python3"),
    ],
    ["python3 scripts/report.py", needs("python3")],
    [
      `python3 -c 'import os; print(os.path.getsize("src/checkout.ts"), os.access("src/checkout.ts", os.W_OK))'`,
      needs("python3"),
    ],
    ["python3 -m json.tool config/target.json", needs("python3")],
    [
      `python3 -c 'import difflib; print("".join(difflib.unified_diff(open("src/checkout.ts").readlines(), open("templates/checkout.ts").readlines())))'`,
      needs("python3"),
    ],
    ["jq -r '.scripts | keys[]' package.json", needs("jq")],
    ["jq -r .target config/target.json | xargs head -2", needs("jq")],
    [`sqlite3 :memory: "select length(readfile('src/checkout.ts'))"`, needs("sqlite3")],
    String.raw`perl -MFile::Basename -e 'print basename("src/checkout.ts"), "\n"'`,
    String.raw`perl -e 'open my $f, "<", "src/checkout.ts" or die; print scalar(() = <$f>), "\n"'`,
    ["curl -s file://{root}/src/checkout.ts | head -2", needs("curl")],
    ["openssl dgst -sha256 src/checkout.ts", needs("openssl")],
    ["ctags -f - src/checkout.ts | head -3", needs("ctags")],
  ]),
  ...rows("writing elsewhere", "nothing", [
    "mkdir -p out && cp src/checkout.ts out/checkout.ts && sed -i 's/EUR/USD/' out/checkout.ts",
    "cp src/checkout.ts /tmp/checkout.$$.ts && rm /tmp/checkout.$$.ts",
    "mkdir -p out && tar czf out/src.tgz src && tar tzf out/src.tgz",
    "gzip -c src/checkout.ts > /tmp/c.$$.gz; gzip -l /tmp/c.$$.gz; rm /tmp/c.$$.gz",
    "git diff > wip.log && wc -l wip.log",
    "git diff src/checkout.ts | tee review.log | head -3",
    "cat src/checkout.ts > out.log 2>&1",
    "grep -n total src/checkout.ts > /tmp/hits.$$ || true; cat /tmp/hits.$$; rm -f /tmp/hits.$$",
    "sort src/checkout.ts -o /tmp/sorted.$$ && head -1 /tmp/sorted.$$; rm /tmp/sorted.$$",
    "sed 's/EUR/USD/w changes.log' src/checkout.ts > /dev/null",
    "dd if=src/checkout.ts of=/dev/null status=none",
    "(mkdir -p out/src && cd out/src && echo 'export {};' > checkout.ts && rm checkout.ts)",
    'dir=$(mktemp -d) && cp -r src "$dir" && rm -rf "$dir"',
    'd=$(mktemp -d); git clone -q . "$d/shop" && (cd "$d/shop" && git checkout -q v1.0 && rm src/checkout.ts); rm -rf "$d"',
    `cat > notes.log <<'EOF'
To start over: git checkout -- src/checkout.ts
Or: rm src/checkout.ts && cp templates/checkout.ts src/checkout.ts
EOF`,
    'ln -s "$PWD/src/checkout.ts" /tmp/c.$$ && cat /tmp/c.$$ && rm /tmp/c.$$',
    "split -l 3 src/checkout.ts /tmp/part.$$. && rm /tmp/part.$$.*",
    ["patch --dry-run -p1 < patches/discount.patch", needs("patch")],
    ["patch -s -o /tmp/patched.$$.ts src/checkout.ts patches/discount.patch; rm -f /tmp/patched.$$.ts", needs("patch")],
    ["mkdir -p out && zip -qr out/src.zip src && rm out/src.zip", needs("zip")],
    "tee copy.log < src/checkout.ts > /dev/null",
    [`python3 -c 'import shutil; shutil.copy("src/checkout.ts", "backup.log")'`, needs("python3")],
    `node -e 'fs.mkdirSync("out", { recursive: true }); fs.copyFileSync("src/checkout.ts", "out/checkout.ts")'`,
    "git worktree add -q ../spike -b spike && cd ../spike && sed -i 's/EUR/USD/' src/checkout.ts && git commit -qam 'Dollars'",
    "ls src/checkout.ts 2>/dev/null >/dev/null; echo $?",
    ["tmux -V; tmux -L nothing ls 2>/dev/null || true", needs("tmux")],
  ]),
  ...rows("words that look like writes", "nothing", [
    'echo "rm -rf src/checkout.ts"',
    "echo 'use > src/checkout.ts to write'",
    String.raw`printf '%s\n' 'git checkout -- src/checkout.ts' 'git reset --hard'`,
    `# rm src/checkout.ts
ls src`,
    ": 'cat > src/checkout.ts'",
    `cat <<'EOF'
sed -i 's/a/b/' src/checkout.ts
rm src/checkout.ts
EOF`,
    "git checkout -h | head -3; rm --help | head -2",
    "type rm mv sed git",
    'msg="do not rm src/checkout.ts"; echo "$msg" | tr a-z A-Z',
    '[[ "src/checkout.ts" > "src/cart.ts" ]] && echo later',
    "(( $(wc -l < src/checkout.ts) > 5 )) && echo long",
    'x=src/checkout.ts; echo "${x%.ts}.js" "${x##*/}"',
    "false && rm src/checkout.ts || true",
    "grep -n 'rm -f src/checkout.ts' Makefile scripts/* || true",
    "command -v sed > /dev/null && sed --version | head -1",
    "set -x; cat src/checkout.ts > /dev/null",
    "if [ ! -f src/checkout.ts ]; then cp templates/checkout.ts src/checkout.ts; fi",
    "f() { rm src/checkout.ts; }; declare -f f | head -2",
    "cd src && ls checkout.ts && cd - > /dev/null",
    "pushd src > /dev/null; cat checkout.ts | head -1; popd > /dev/null",
    "test -e src/checkout.ts || : > src/checkout.ts",
    "history | tail -3; alias; env | grep -c PATH",
    "cp -n templates/checkout.ts src/checkout.ts || true",
    "touch -c -a src/no-such-file.ts",
    "echo 'Done: src/checkout.ts -> src/purchase.ts' >&2",
  ]),
].map((row) => ({ ...row, id: `third-${row.id}` }));
