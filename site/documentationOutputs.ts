import { guideOutputs } from './markdown/guideOutputs.ts';
import { stateOutputs } from './states/stateOutputs.ts';

/**
 * Every generated file of the documentation: guides that are made of the product, and all guides as HTML.
 *
 * @returns files relative to the project, and what they must hold
 */
export async function documentationOutputs(projectRoot: string): Promise<{ file: string; text: string }[]> {
  const made = await stateOutputs();
  const texts = new Map(made.map(({ file, text }) => [file, text]));
  return [...made, ...guideOutputs(projectRoot, texts)];
}
