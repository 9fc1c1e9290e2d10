/** A linter of three rules: no any, no console, a return type on every exported function. */
import { readdirSync, readFileSync } from "node:fs";

const rules = [
  { name: "no-any", pattern: /:\s*any\b/, message: "a value is typed any; say what it is" },
  { name: "no-console", pattern: /\bconsole\./, message: "a library does not print; return the text" },
  { name: "return-type", pattern: /^export function \w+\([^)]*\)\s*\{/, message: "an exported function has no return type" },
];

let problems = 0;
for (const file of readdirSync("src").filter((name) => name.endsWith(".ts")).sort()) {
  readFileSync(`src/${file}`, "utf8").split("\n").forEach((line, index) => {
    for (const { name, pattern, message } of rules) {
      if (!pattern.test(line)) continue;
      console.log(`src/${file}:${index + 1}: ${message} (${name})`);
      problems++;
    }
  });
}
console.log(problems === 0 ? "no problems" : `${problems} problems`);
process.exitCode = problems === 0 ? 0 : 1;
