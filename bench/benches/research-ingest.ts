/** How fast text becomes a searchable source: read in its thread, split, stored and indexed, through a real daemon. */
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import type { Bench } from "../bench.ts";
import { upDaemon } from "../processes/daemon.ts";
import { activityOf } from "../processes/process-usage.ts";
import { scratchFolder } from "../processes/scratch-home.ts";
import { median } from "../statistics.ts";

const rounds = 3;
const files = 200;
const bytesOfFile = 100_000;
const leastMbPerSecond = 2;

export const researchIngest: Bench = {
  name: "research-ingest",
  method: `POST /v1/research/sources of a folder with ${files} Markdown files of ${bytesOfFile.toLocaleString("en")} bytes each, by a real daemon: read in the document thread, split, stored durably and indexed. Megabytes of text for each second of processor time of the whole daemon, and for each second that passed; ${rounds} rounds, each a new folder.`,
  async run() {
    using scratch = scratchFolder();
    const repository = join(scratch.path, "shop");
    mkdirSync(repository);
    execFileSync("git", ["init", "--quiet", repository]);
    const home = join(scratch.path, "home");
    mkdirSync(home, { mode: 0o700 });
    const [perCore, perSecond]: [number[], number[]] = [[], []];
    {
      await using daemon = await upDaemon(home);
      const { port } = daemon.tcp as { readonly port: number };
      for (let round = 0; round < rounds; round++) {
        const location = writeFolder(join(repository, `notes-${round}`), round);
        const [startedAt, used] = [performance.now(), activityOf(daemon.pid).cpuMs];
        const response = await fetch(`http://127.0.0.1:${port}/v1/research/sources`, {
          method: "POST",
          headers: {
            authorization: `Bearer ${daemon.userToken}`,
            "content-type": "application/json",
            "sylk-project": repository,
          },
          body: JSON.stringify({ location }),
        });
        const answer = (await response.json()) as { source?: { bytes: number; documents: number } };
        if (answer.source?.documents !== files) throw new Error(`not added: ${JSON.stringify(answer).slice(0, 400)}`);
        const megabytes = answer.source.bytes / 1_000_000;
        perCore.push(megabytes / ((activityOf(daemon.pid).cpuMs - used) / 1_000));
        perSecond.push(megabytes / ((performance.now() - startedAt) / 1_000));
      }
    }
    requirePassages(home);
    const value = median(perCore);
    return [
      {
        what: "text added for each second of a core, MB",
        value,
        unit: "/s",
        rounds: perCore,
        target: { text: `>= ${leastMbPerSecond}`, met: value >= leastMbPerSecond },
      },
      { what: "text added for each second that passed, MB", value: median(perSecond), unit: "/s", rounds: perSecond },
    ];
  },
};

/** Words by a fixed rule, some frequent and most rare, in paragraphs below headings. */
function writeFolder(folder: string, round: number): string {
  mkdirSync(folder);
  let seed = round + 1;
  const next = (most: number): number => (seed = (seed * 48_271) % 2_147_483_647) % most;
  for (let file = 0; file < files; file++) {
    let text = `# Notes ${round} ${file}\n`;
    while (text.length < bytesOfFile) {
      const sentence = Array.from({ length: 14 }, () => `word${next(4) === 0 ? next(50) : next(20_000)}`).join(" ");
      text +=
        next(12) === 0
          ? `\n## Section ${next(1_000)}\n\n`
          : `The ${sentence} ends here.${next(4) === 0 ? "\n\n" : " "}`;
    }
    writeFileSync(join(folder, `${file}.md`), text);
  }
  return folder;
}

/** Nothing was lost, and the index holds as many as the table. */
function requirePassages(home: string): void {
  const store = new Database(join(home, "sylk.db"), { readonly: true });
  const { stored } = store.prepare("SELECT count(*) AS stored FROM source_passages").get() as { stored: number };
  const { indexed } = store.prepare("SELECT count(*) AS indexed FROM source_search_docsize").get() as {
    indexed: number;
  };
  store.close();
  if (stored === 0 || stored !== indexed) throw new Error(`${stored} passages, ${indexed} of them indexed`);
}
