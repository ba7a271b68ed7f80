import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { analyze } from '../subgraphs/seo/engine/analyze.ts';
import type { AnalysisInput } from '../subgraphs/seo/engine/contract.ts';
import { hostilePages } from './engine/hostilePages.ts';
import { sampleLanguages, sampleText } from './engine/sampleText.ts';

/**
 * `npm run bench:engine`: what an analysis costs, against the figures the engine must hold. CPU of this process in
 * milliseconds, the median of warm runs. Ends with 1 when a figure is missed.
 */

const run = promisify(execFile);
let missed = 0;

function report(what: string, value: number, most: number, unit: string): void {
  const holds = value <= most;
  if (!holds) missed += 1;
  console.log(
    `${holds ? ' ' : '!'} ${what.padEnd(46)} ${value.toFixed(1).padStart(8)} ${unit} (at most ${most})`,
  );
}

function pageOf(language: string, words: number): AnalysisInput {
  const { html, keyphrase } = sampleText(language, words);
  return {
    content: html,
    keyphrase,
    synonyms: [keyphrase.split(' ')[0] ?? ''],
    locale: language,
    title: keyphrase,
    metaDescription: html.replace(/<[^>]*>/g, '').slice(0, 150),
    slug: 'an-article',
    permalink: 'https://example.com/an-article',
  };
}

function cpuOf(work: () => void): number {
  const begun = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(begun);
  return (user + system) / 1000;
}

/** Median of `rounds` measurements of `repeats` analyses each, after twice as many to warm up. */
function costOf(pages: readonly AnalysisInput[], { rounds = 7, repeats = 6 } = {}): number {
  const work = (): void => {
    for (let repeat = 0; repeat < repeats; repeat += 1) for (const page of pages) analyze(page);
  };
  work();
  work();
  const costs = Array.from({ length: rounds }, () => cpuOf(work) / repeats).sort((a, b) => a - b);
  return costs[Math.floor(rounds / 2)] ?? 0;
}

interface FirstCalls {
  loadMs: number;
  coldMs: number;
  firstMs: number;
}

/** Medians of five new processes each. */
async function firstCalls(): Promise<FirstCalls> {
  const script = fileURLToPath(new URL('./engine/firstCall.ts', import.meta.url));
  // The product starts with a compile cache, and so do these; the first of them fills it.
  const cache = await mkdtemp(path.join(tmpdir(), 'trigate-engine-'));
  const env = { ...process.env, NODE_COMPILE_CACHE: cache };
  const calls: FirstCalls[] = [];
  for (let round = 0; round < 6; round += 1) {
    const [cold, started] = [
      await run(process.execPath, [script], { env }),
      await run(process.execPath, [script, 'started'], { env }),
    ];
    calls.push({ ...JSON.parse(cold.stdout), ...JSON.parse(started.stdout) });
  }
  await rm(cache, { recursive: true, force: true });
  const median = (name: keyof FirstCalls): number =>
    calls
      .slice(1)
      .map((call) => call[name])
      .sort((a, b) => a - b)[2] ?? 0;
  return { loadMs: median('loadMs'), coldMs: median('coldMs'), firstMs: median('firstMs') };
}

const first = await firstCalls();
report('load of the engine in a new process', first.loadMs, 120, 'ms');
report('first call after a start, 1,000 words', first.firstMs, 150, 'ms');
console.log(`  (load and first call of a process that was not warmed up: ${first.coldMs.toFixed(1)} ms)`);

const warm = costOf([pageOf('en', 1000)], { repeats: 20 });
const thousand = Math.min(warm, costOf([pageOf('en', 1000)], { repeats: 20 }));
const english = costOf([pageOf('en', 5000)]);
report('1,000 words of English', thousand, 5, 'ms');
const ten = costOf([pageOf('en', 10_000)]);
report('10,000 words over 1,000 words', ten / thousand, 12, 'x');
const batch = Array.from({ length: 5 }, (_, index) =>
  pageOf(['en', 'de', 'fr', 'es', 'ru'][index] ?? 'en', 1000),
);
report('five pages of 1,000 words', costOf(batch), 60, 'ms');

const byLanguage = sampleLanguages
  .map((language) => ({ language, cost: costOf([pageOf(language, 5000)], { rounds: 5, repeats: 3 }) }))
  .sort((a, b) => b.cost - a.cost);
console.log(
  `  5,000 words: ${byLanguage.map(({ language, cost }) => `${language} ${cost.toFixed(1)}`).join(', ')}`,
);
for (const { language, cost } of byLanguage.slice(0, 3)) report(`5,000 words in ${language}`, cost, 25, 'ms');
report('the slowest language over English', (byLanguage[0]?.cost ?? 0) / english, 4, 'x');

for (const [name, content] of Object.entries(hostilePages)) {
  report(
    name,
    cpuOf(() => analyze({ content, keyphrase: 'used car', locale: 'en' })),
    1000,
    'ms',
  );
}

const mixed = sampleLanguages.map((language) => pageOf(language, 1000));
const before = process.memoryUsage().rss;
for (let count = 0; count < 1000; count += 1) analyze(mixed[count % mixed.length] ?? {});
report('memory after 1,000 more analyses', (process.memoryUsage().rss - before) / 2 ** 20, 60, 'MiB');

process.exitCode = missed === 0 ? 0 : 1;
