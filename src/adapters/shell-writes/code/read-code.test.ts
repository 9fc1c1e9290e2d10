import { expect, it } from "vitest";
import { writeTargets } from "../write-targets.ts";

const files: Readonly<Record<string, string>> = {
  "/repo/target.json": '{ "target": "src/a.ts" }',
  "/repo/list.txt": "src/a.ts\nsrc/b.ts\n",
};
function judged(command: string) {
  const { targets, unknown, programs } = writeTargets(command, { cwd: "/repo", read: (path) => files[path] });
  return {
    paths: targets.map(({ path }) => path.slice("/repo/".length)),
    isUnknown: unknown.length + programs.length > 0,
  };
}
const q = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

it.each([
  ["python3 -c", 'd = "src"; n = "a"; open(f"{d}/{n}.ts", "w")'],
  ["python3 -c", 'import os; os.remove(os.path.join("src", "a" + ".ts"))'],
  ["python3 -c", 'from pathlib import Path as P; (P("src") / "a.ts").unlink()'],
  ["python3 -c", 'import subprocess as s; s.run(["rm", "src/a.ts"])'],
  ["python3 -c", 'import json; t = json.load(open("target.json"))["target"]; open(t, "w")'],
  ["python3 -c", "exec(\"open('src/a.ts', 'w')\")"],
  ["node -e", 'const p = require("path"); fs.writeFileSync(p.resolve("src", "a.ts"), "")'],
  ["node -e", 'require("fs")["unlinkSync"](`src/${"a"}.ts`)'],
  ["node -e", 'process.chdir("src"); fs.rmSync("a.ts")'],
  ["node -e", 'for (const f of ["src/a.ts"]) require("fs").truncateSync(f)'],
  ["perl -e", 'my $f = join("/", "src", "a.ts"); open(my $h, ">", $f) or die;'],
  ["perl -e", "`rm src/a.ts`"],
  ["ruby -e", 'File.open("src/a.ts", "w") { |f| f.puts 1 }'],
  ["php -r", '$f = "src/" . "a.ts"; unlink($f);'],
  ["lua -e", 'os.remove("src/" .. "a.ts")'],
  ["Rscript -e", 'cat("x", file = "src/a.ts")'],
])("finds the file that %s %j writes", (program, code) => {
  expect(judged(`${program} ${q(code)}`).paths).toContain("src/a.ts");
});

it.each([
  ["python3 -c", 'import re, json; print(re.sub("a", "b", open("src/a.ts").read()), json.dumps({}))'],
  ["python3 -c", 'import os\nfor r, d, f in os.walk("src"):\n  print(os.path.join(r, "x"), os.path.getsize(r))'],
  ["node -e", 'fs.createReadStream("src/a.ts").pipe(process.stdout)'],
  ["node -e", 'console.log(fs.readFileSync("src/a.ts", "utf8").replace(/x/g, "y").split("\\n").length)'],
  ["node -p", 'require("./target.json").target'],
  ["perl -ne", "print if /x > y/ && s/a/b/"],
  ["ruby -e", 'puts File.read("src/a.ts").lines.first'],
])("is silent about %s %j, which only reads", (program, code) => {
  expect(judged(`${program} ${q(code)} src/a.ts`)).toEqual({ paths: [], isUnknown: false });
});

it.each([
  ["python3 -c", "import mymodule; mymodule.run()"],
  ["python3 -c", 'import os; os.frobnicate("src/a.ts")'],
  ["python3 -c", "import base64, sys; exec(sys.stdin.read())"],
  ["node -e", 'fs.writeFileSync(pick(), "x")'],
  ["node -e", "files.forEach(fs.unlinkSync)"],
  ["node -e", 'require("some-package").save()'],
  ["perl -e", "unlink $x"],
])("says unknown, never nothing, of %s %j", (program, code) => {
  expect(judged(`${program} ${q(code)}`).isUnknown).toBe(true);
});

it("gives code its arguments, its input and variables of the shell", () => {
  expect(judged("python3 -c \"import sys; open(sys.argv[1], 'w')\" src/a.ts").paths).toEqual(["src/a.ts"]);
  expect(judged("F=src/a.ts node -e 'fs.unlinkSync(process.env.F)'").paths).toEqual(["src/a.ts"]);
  expect(judged("perl -lne unlink list.txt").paths).toEqual(["src/a.ts", "src/b.ts"]);
});

it("asks for every file that the code names where one target is not known, and reserves none of them", () => {
  const { targets } = writeTargets('node -e \'const list = ["src/a.ts"]; fs.writeFileSync(pick(list), "")\'', {
    cwd: "/repo",
  });
  expect(targets).toMatchObject([{ path: "/repo/src/a.ts", isPattern: true }]);
});
