import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { notGuides } from '../contents.ts';
import { renderMarkdown } from './renderMarkdown.ts';

/**
 * `site/pages/<guide>.html` for every guide of `docs/`, which is their only source: rendered when it is generated, so
 * that a start renders no Markdown.
 *
 * @returns files relative to the project, and what they must hold
 */
export function guideOutputs(projectRoot: string): { file: string; text: string }[] {
  const folder = path.join(projectRoot, 'docs');
  const read = (file: string) => readFileSync(path.join(folder, file), 'utf8');
  return readdirSync(folder)
    .flatMap((file) => /^(.+)\.md$/.exec(file)?.[1] ?? [])
    .filter((name) => !notGuides.has(name))
    .sort()
    .map((name) => ({ file: `site/pages/${name}.html`, text: renderMarkdown(read(`${name}.md`), read) }));
}
