import type { Platform } from '../../../platform/context/Platform.ts';
import type { AnalysisInput } from '../../engine/contract.ts';
import { engineThreads } from './EngineThreads.ts';
import { analyze } from './engineWorker.ts';

const paragraph = `A winter tyre is made for snow and ice. However, it was tested by many drivers on dry roads too,
  because most journeys begin in a town. <a href="/tyres">Compare the tyres</a> before you buy one.`;

/** Page with every kind of content, so that every check applies. */
const sample: AnalysisInput = {
  content: `<h2>Winter tyres</h2>${`<p>${paragraph}</p>`.repeat(8)}<h2>Prices</h2><ul><li>From 80 €</li></ul>
    <img src="tyre.jpg" alt="A winter tyre"><p>See <a href="https://example.org/">the test</a>.</p>`,
  title: 'Winter tyres',
  seoTitle: 'Winter tyres: tests and prices',
  metaDescription: 'Winter tyres that were tested on snow, on ice and on dry roads, with their prices.',
  slug: 'winter-tyres',
  permalink: 'https://example.com/winter-tyres',
  locale: 'en',
  keyphrase: 'winter tyres',
};

/**
 * Loads the tables of the engine and starts a thread, so that the first caller after a start does not wait: about 80 ms
 * of processor time here and 250 ms on the thread. Runs in the background; a failed step is repeated when it is needed.
 */
export async function warmAnalysis({ log }: Pick<Platform, 'log'>): Promise<void> {
  try {
    const onThread = engineThreads().run('analyze', { page: sample });
    analyze({ page: sample });
    await onThread;
  } catch (error) {
    log.debug({ err: error }, 'the analysis is not warmed up');
  }
}
