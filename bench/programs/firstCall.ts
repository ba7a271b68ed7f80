import pino from 'pino';
import { sampleText } from '../data/sampleText.ts';

/**
 * Prints the processor times in milliseconds of a new process, including threads: for loading the engine, for its first
 * analysis without a warm-up, and for the first call after a start with a warm-up.
 */
const cpuMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};
const { html, keyphrase } = sampleText('en', 1000);
const page = { content: html, keyphrase, locale: 'en', title: keyphrase };

if (process.argv[2] === 'started') {
  const { warmAnalysis } = await import('../../subgraphs/seo/analysis/threads/warmAnalysis.ts');
  const { analyzePage } = await import('../../subgraphs/seo/analysis/threads/analyzePage.ts');
  const { ruleset2026 } = await import('../../subgraphs/seo/engine/ruleset/ruleset2026.ts');
  await warmAnalysis({ log: pino({ level: 'silent' }) });
  const begun = cpuMs();
  await analyzePage(page, ruleset2026);
  console.log(JSON.stringify({ firstMs: cpuMs() - begun }));
} else {
  const begun = cpuMs();
  const { analyze } = await import('../../subgraphs/seo/engine/analyze.ts');
  const loaded = cpuMs();
  analyze(page);
  console.log(JSON.stringify({ loadMs: loaded - begun, coldMs: cpuMs() - begun }));
}
