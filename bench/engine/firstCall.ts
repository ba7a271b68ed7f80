import { sampleText } from './sampleText.ts';

/** Prints the CPU in milliseconds that a new process needs to load the engine, and with its first analysis. */
const cpuMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};
const { html, keyphrase } = sampleText('en', 1000);
const begun = cpuMs();
const { analyze } = await import('../../subgraphs/seo/engine/analyze.ts');
const loaded = cpuMs();
analyze({ content: html, keyphrase, locale: 'en', title: keyphrase });
const analysed = cpuMs();
console.log(JSON.stringify({ loadMs: loaded - begun, totalMs: analysed - begun }));
