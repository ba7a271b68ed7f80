import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { notGuides } from '../contents.ts';
import { renderMarkdown } from './renderMarkdown.ts';

/**
 * Returns `site/pages/<guide>.html` for every guide below `docs/`, which is their only source. They are rendered in
 * advance, so that a start renders no Markdown. Decision records are for contributors, and have no page.
 *
 * @returns files relative to the project, with their content
 */
export function guideOutputs(projectRoot: string): { file: string; text: string }[] {
  const read = (file: string) => readFileSync(path.join(projectRoot, file), 'utf8');
  return globSync('docs/*/*.md', { cwd: projectRoot })
    .filter(
      (file) => !notGuides.has(path.basename(file, '.md')) && path.basename(path.dirname(file)) !== 'adr',
    )
    .sort()
    .map((file) => {
      const text = renderMarkdown(read(file), (name) => read(path.join(path.dirname(file), name)));
      return { file: `site/pages/${path.basename(file, '.md')}.html`, text };
    });
}
