import axe from 'axe-core';
import type { Page } from 'playwright-core';

const schemes = ['light', 'dark'] as const;
const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice'];

/**
 * Serious and critical accessibility findings of axe on a page, in light and in dark colours. Only contrast depends on
 * colours, so the second run checks only contrast.
 *
 * @param known rules of axe that third-party code violates, each with the reason for accepting it
 */
export async function obstaclesOf(
  page: Page,
  known: Readonly<Record<string, string>> = {},
): Promise<string[]> {
  // The protocol of the browser runs the script, because the page refuses foreign scripts.
  await page.evaluate(axe.source);
  const found: string[] = [];
  for (const [index, colorScheme] of schemes.entries()) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const runOnly = index === 0 ? tags : ['color-contrast'];
    const findings = await findingsOf(page, runOnly);
    found.push(
      ...findings
        .filter(([rule]) => !Object.hasOwn(known, rule))
        .map(([, words]) => `${colorScheme}: ${words}`),
    );
  }
  return found;
}

async function findingsOf(page: Page, runOnly: string[]): Promise<[rule: string, words: string][]> {
  const { violations } = await page.evaluate(async (only) => {
    // Scripts receive the change of colours with the next frame.
    for (let frame = 0; frame < 2; frame += 1)
      await new Promise((painted) => {
        requestAnimationFrame(painted);
      });
    // Transitions to the new colours have ended.
    for (const animation of document.getAnimations()) animation.finish();
    return (globalThis as unknown as { axe: typeof axe }).axe.run(document, {
      resultTypes: ['violations'],
      runOnly: only,
    });
  }, runOnly);
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes
        .slice(0, 5)
        .map(({ html, failureSummary }): [string, string] => [
          id,
          `${id}: ${html.slice(0, 160)} ${failureSummary ?? ''}`,
        ]),
    );
}
