import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { analyze } from '../subgraphs/seo/engine/analyze.ts';
import type { AnalysisInput } from '../subgraphs/seo/engine/contract.ts';
import { hostilePages } from './data/hostilePages.ts';
import { sampleLanguages, sampleText } from './data/sampleText.ts';
import { benchmark, type Values } from './harness/benchmark.ts';
import { interleave, ratiosOf } from './harness/interleave.ts';
import { describeRatios, medianOf, report } from './harness/report.ts';

/** Measures the CPU time of an analysis in this process, and compares it with the engine's targets. */

const run = promisify(execFile);

const settings = {
  processes: { usual: 5, quick: 1, means: 'new processes whose first call is measured' },
  rounds: { usual: 7, quick: 1, means: 'rounds in which pages take turns' },
  repeats: { usual: 6, quick: 1, means: 'analyses of a page in a round' },
  languages: { usual: sampleLanguages.length, quick: 3, means: 'languages of the pages of 5,000 words' },
  analyses: { usual: 1000, quick: 20, means: 'analyses before memory is read again' },
} as const;
type Chosen = Values<typeof settings>;

export default benchmark({
  measures: 'CPU of an analysis, warm and cold, in every language',
  settings,
  async measure(chosen) {
    await reportFirstCalls(chosen.processes);
    await reportLengths(chosen);
    await reportLanguages(chosen);
    for (const [name, content] of Object.entries(hostilePages)) {
      const cost = cpuOf(() => analyze({ content, keyphrase: 'used car', locale: 'en' }));
      reportCost(name, cost, 1000);
    }
    reportMemory(chosen.analyses);
  },
});

function reportCost(what: string, ms: number, most: number, further = ''): void {
  report(what, `${ms.toFixed(1).padStart(8)} ms (goal at most ${most})${further}`);
}

async function reportFirstCalls(processes: number): Promise<void> {
  const { loadMs, firstMs, coldMs } = await firstCalls(processes);
  reportCost('load of the engine in a new process', loadMs, 120);
  reportCost('first call after a start, 1,000 words', firstMs, 150);
  report('load and first call without a warm-up', `${coldMs.toFixed(1).padStart(8)} ms`);
}

async function reportLengths({ rounds, repeats }: Chosen): Promise<void> {
  const five = ['en', 'de', 'fr', 'es', 'ru'].map((language) => pageOf(language, 1000));
  const sides = {
    thousand: async () => costOf([pageOf('en', 1000)], 3 * repeats),
    ten: async () => costOf([pageOf('en', 10_000)], repeats),
    batch: async () => costOf(five, repeats),
  };
  await interleave(2, sides);
  const { thousand, ten, batch } = await interleave(rounds, sides);
  reportCost('1,000 words of English', median(thousand), 5);
  reportCost('10,000 words of English', median(ten), 60);
  const ratios = ratiosOf(ten, thousand, (ms) => ms);
  report('10,000 words : 1,000 words', `${describeRatios(ratios)} (goal at most 12)`);
  reportCost('five pages of 1,000 words', median(batch), 60);
}

async function reportLanguages({ rounds, repeats, languages }: Chosen): Promise<void> {
  // English is the reference for the others.
  const chosen = ['en', ...sampleLanguages.filter((language) => language !== 'en')].slice(0, languages);
  const pages = new Map(chosen.map((language) => [language, pageOf(language, 5000)]));
  const sides = Object.fromEntries(
    [...pages].map(([language, page]) => [language, async () => costOf([page], Math.ceil(repeats / 2))]),
  );
  await interleave(1, sides);
  const costs = await interleave(rounds, sides);
  const byCost = Object.entries(costs).sort(([, a], [, b]) => median(b) - median(a));
  for (const [language, each] of byCost) {
    const ratios = describeRatios(ratiosOf(each, costs.en ?? [], (ms) => ms));
    reportCost(`5,000 words in ${language}`, median(each), 25, `; : English ${ratios}`);
  }
}

function reportMemory(analyses: number): void {
  const mixed = sampleLanguages.map((language) => pageOf(language, 1000));
  const before = process.memoryUsage().rss;
  for (let count = 0; count < analyses; count += 1) analyze(mixed[count % mixed.length] ?? {});
  const grown = (process.memoryUsage().rss - before) / 2 ** 20;
  report(`memory after ${analyses} more analyses`, `${grown.toFixed(1).padStart(8)} MiB (goal at most 60)`);
}

function median(values: readonly number[]): number {
  return medianOf(values, (value) => value);
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

/** Returns the CPU time of one analysis of each page in milliseconds. */
function costOf(pages: readonly AnalysisInput[], repeats: number): number {
  const work = (): void => {
    for (let repeat = 0; repeat < repeats; repeat += 1) for (const page of pages) analyze(page);
  };
  return cpuOf(work) / repeats;
}

interface FirstCalls {
  loadMs: number;
  coldMs: number;
  firstMs: number;
}

/** Returns medians over new processes. */
async function firstCalls(processes: number): Promise<FirstCalls> {
  const script = fileURLToPath(new URL('./programs/firstCall.ts', import.meta.url));
  // The product starts with a compile cache, and so do these processes; the first one fills it.
  const cache = await mkdtemp(path.join(tmpdir(), 'trigate-engine-'));
  const env = { ...process.env, NODE_COMPILE_CACHE: cache };
  const calls: FirstCalls[] = [];
  for (let round = 0; round <= processes; round += 1) {
    const [cold, started] = [
      await run(process.execPath, [script], { env }),
      await run(process.execPath, [script, 'started'], { env }),
    ];
    calls.push({ ...JSON.parse(cold.stdout), ...JSON.parse(started.stdout) });
  }
  await rm(cache, { recursive: true, force: true });
  const medianOfCalls = (name: keyof FirstCalls) => medianOf(calls.slice(1), (call) => call[name]);
  return {
    loadMs: medianOfCalls('loadMs'),
    coldMs: medianOfCalls('coldMs'),
    firstMs: medianOfCalls('firstMs'),
  };
}
