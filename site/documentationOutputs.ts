import { guideOutputs } from './markdown/guideOutputs.ts';
import { stateOutputs } from './states/stateOutputs.ts';

/**
 * Every generated file of the documentation: guides that are made of the product, and all guides as HTML.
 *
 * @param generated other guides that are made by the same run
 * @returns files relative to the project, and what they must hold
 */
export async function documentationOutputs(
  projectRoot: string,
  generated: readonly { file: string; text: string }[],
): Promise<{ file: string; text: string }[]> {
  const made = await stateOutputs();
  const texts = new Map([...generated, ...made].map(({ file, text }) => [file, text]));
  return [...made, ...guideOutputs(projectRoot, texts)];
}
