/**
 * The files of the fixture: a small shop whose scripts, package scripts, make targets and stand-in tools write
 * src/checkout.ts in the ways of real projects.
 */
export const committed = `export const total = 0;
export const currency = "EUR";

export function checkout(cart: number[]): number {
  return cart.reduce((sum, price) => sum + price, total);
}
`;

/** With the lines that only the holder's working tree has. */
export const uncommitted = `export const total = 0;
export const currency = "EUR";
export const discount = 15; // heron: not committed yet

export function checkout(cart: number[]): number {
  const sum = cart.reduce((all, price) => all + price, total);
  return sum - (sum * discount) / 100;
}
`;

export const onFeature = committed.replace("total = 0", "total = 1").replace("checkout(cart", "checkOut(cart");
export const older = committed.replace("EUR", "DEM");
export const atOrigin = committed.replace("EUR", "USD");

const packageJson = {
  name: "shop",
  version: "1.0.0",
  private: true,
  type: "module",
  scripts: {
    format: "prettier --write src",
    "format:check": "prettier --check src",
    lint: "eslint src",
    "lint:fix": "eslint --fix src",
    generate: "node scripts/generate.mjs",
    build: "npm run --silent generate && echo built",
    pretest: "node scripts/generate.mjs",
    test: "node scripts/test.mjs",
    check: "node scripts/test.mjs",
    clean: "rm -rf src dist",
    codemod: "jscodeshift -t scripts/transform.cjs src",
    release: "sh scripts/bump.sh",
    size: "wc -c src/checkout.ts",
  },
};

const makefile = `SRC = src/checkout.ts

.PHONY: test fmt clean bump gen show
test:
\t@node scripts/test.mjs
show:
\t@cat $(SRC)
fmt:
\t@node_modules/.bin/prettier --write $(SRC)
clean:
\trm -rf src/*.ts
bump:
\tsh scripts/bump.sh
gen: src/checkout.ts
src/checkout.ts: FORCE
\t@cp templates/checkout.ts $@
FORCE:
`;

export const shopFiles: Readonly<Record<string, string>> = {
  "README.md": "# A small shop\n\nRun `npm test`.\n",
  ".gitignore": "node_modules/\n*.log\nout/\n",
  "package.json": `${JSON.stringify(packageJson, null, 2)}\n`,
  Makefile: makefile,
  "src/cart.ts": 'export const cart = [1, 2, 3];\nexport const owner = "ada";\n',
  "src/price.ts": "export const price = 10;\n",
  "docs/guide.md": "# Guide\n\nThe cart holds prices.\n",
  "templates/checkout.ts": "export const total = 100;\n",
  "config/target.json": '{ "target": "src/checkout.ts", "value": 3 }\n',
  "config/files.txt": "src/checkout.ts\nsrc/cart.ts\n",
  "config/paths.env": "TARGET=src/checkout.ts\nexport TARGET\n",
  "scripts/bump.sh": "#!/bin/sh\nset -e\nsed -i 's/total = 0/total = 7/' src/checkout.ts\n",
  "scripts/lib.sh": 'touch_up() { printf "// touched\\n" >> "$1"; }\n',
  "scripts/wipe.sh": '#!/usr/bin/env bash\nfor f in "$@"; do : > "$f"; done\n',
  "scripts/bump.py":
    'from pathlib import Path\np = Path("src") / "checkout.ts"\np.write_text(p.read_text().replace("total = 0", "total = 8"))\n',
  "scripts/rename.py":
    'import sys\nfor name in sys.argv[1:]:\n    text = open(name).read()\n    open(name, "w").write(text.replace("total", "sum"))\n',
  "scripts/report.py": 'print(sum(1 for _ in open("src/checkout.ts")))\n',
  "scripts/bump.pl":
    'local $/; open my $f, "+<", "src/checkout.ts" or die; my $t = <$f>; $t =~ s/total = 0/total = 9/; seek $f, 0, 0; truncate $f, 0; print $f $t;\n',
  "scripts/generate.mjs":
    'import { writeFileSync } from "node:fs";\nwriteFileSync(new URL("../src/checkout.ts", import.meta.url), "export const generated = true;\\n");\n',
  "scripts/replace.cjs":
    'const fs = require("node:fs");\nconst [file, from, to] = process.argv.slice(2);\nfs.writeFileSync(file, fs.readFileSync(file, "utf8").replaceAll(from, to));\n',
  "scripts/test.mjs":
    'import { readFileSync } from "node:fs";\nif (!readFileSync("src/cart.ts", "utf8").includes("cart")) process.exit(1);\nconsole.log("1 test passed");\n',
  "scripts/transform.cjs": 'module.exports = (text) => text.replaceAll("cart", "basket");\n',
  "scripts/upper.awk": '{ gsub(/total/, "TOTAL"); print }\n',
  "scripts/total.sed": "s/total/amount/g\n",
  "scripts/edit.ed": "1s/total/amount/\nw\nq\n",
  "scripts/edit.vim": "%s/total/amount/g\nwq\n",
  "scripts/edit.tcl": 'set f [open src/checkout.ts w]\nputs $f "export const total = 5;"\nclose $f\n',
};

/** Stand-ins for tools that are not installed here: they read and write as the real ones do, and nothing else. */
const formatter = `#!/usr/bin/env node
const fs = require("node:fs");
const path = require("node:path");
const name = path.basename(process.argv[1]);
const args = process.argv.slice(2);
const has = (...flags) => flags.some((flag) => args.includes(flag));
const writes = {
  prettier: () => has("--write", "-w"),
  eslint: () => has("--fix"),
  biome: () => has("--write", "--apply", "--fix"),
  jscodeshift: () => !has("--dry", "-d"),
  rimraf: () => true,
  black: () => !has("--check", "--diff"),
  ruff: () => args[0] === "format" ? !has("--check") : has("--fix"),
  gofmt: () => has("-w"),
  "clang-format": () => has("-i"),
  dprint: () => args[0] === "fmt",
  standard: () => has("--fix"),
  stylelint: () => has("--fix"),
}[name]();
const valueFlags = new Set(["-t", "--config", "-c", "--parser"]);
const named = args.filter((word, at) => !word.startsWith("-") && !valueFlags.has(args[at - 1]) && !["fmt", "format", "check", "lint"].includes(word));
const filesOf = (place) => {
  const folder = place.replace(/\\/?\\*.*$/, "") || ".";
  if (!fs.existsSync(folder)) return [];
  if (fs.statSync(folder).isFile()) return [folder];
  return fs.readdirSync(folder, { recursive: true }).map((entry) => path.join(folder, entry)).filter((file) => file.endsWith(".ts") && !file.includes("node_modules"));
};
for (const place of named.length === 0 ? ["."] : named) {
  if (name === "rimraf") { fs.rmSync(place, { recursive: true, force: true }); continue; }
  for (const file of filesOf(place)) {
    const text = fs.readFileSync(file, "utf8");
    if (writes) fs.writeFileSync(file, name === "jscodeshift" ? text.replaceAll("cart", "basket") : text.replaceAll('"', "'"));
    else console.log(file);
  }
}
`;

/** Generators: esbuild, tsc, openapi-typescript and the like write to the file that an option names. */
const generator = `#!/usr/bin/env node
const fs = require("node:fs");
const path = require("node:path");
const args = process.argv.slice(2);
const valued = (...flags) => {
  for (const [at, word] of args.entries()) {
    for (const flag of flags) {
      if (word === flag) return args[at + 1];
      if (word.startsWith(flag + "=")) return word.slice(flag.length + 1);
    }
  }
};
const file = valued("--outfile", "--outFile", "-o", "--output", "--out", "--out-file");
const folder = valued("--outDir", "--outdir", "--out-dir", "-d");
if (file) fs.writeFileSync(file, "export const made = 1;\\n");
if (folder) fs.writeFileSync(path.join(folder, "checkout.ts"), "export const made = 1;\\n");
if (!file && !folder) console.log("nothing to write");
`;

/** Package managers that run a tool of node_modules/.bin or a package script. */
const packageManager = `#!/usr/bin/env node
const { spawnSync } = require("node:child_process");
const fs = require("node:fs");
let words = process.argv.slice(2);
while (["exec", "run", "dlx", "x", "--"].includes(words[0]) || /^(-s|--silent)$/.test(words[0] ?? "")) words = words.slice(1);
const scripts = JSON.parse(fs.readFileSync("package.json", "utf8")).scripts;
const [first, ...rest] = words;
const line = scripts[first] ?? null;
const env = { ...process.env, PATH: process.cwd() + "/node_modules/.bin:" + process.env.PATH };
const ended = line === null ? spawnSync(first, rest, { stdio: "inherit", env }) : spawnSync("sh", ["-c", [line, ...rest].join(" ")], { stdio: "inherit", env });
process.exit(ended.status ?? 1);
`;

/** In node_modules/.bin of the fixture. */
export const projectTools: Readonly<Record<string, string>> = Object.fromEntries([
  ...["prettier", "eslint", "biome", "jscodeshift", "rimraf", "dprint", "standard", "stylelint"].map((name) => [
    name,
    formatter,
  ]),
  ...["esbuild", "tsc", "openapi-typescript", "graphql-codegen", "babel"].map((name) => [name, generator]),
]);

/** First on the PATH. */
export const machineTools: Readonly<Record<string, string>> = Object.fromEntries([
  ...["black", "ruff", "gofmt", "clang-format"].map((name) => [name, formatter]),
  ...["protoc", "swagger-codegen"].map((name) => [name, generator]),
  ...["pnpm", "yarn", "bunx", "bun"].map((name) => [name, packageManager]),
]);
