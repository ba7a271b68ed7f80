import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { notGuides } from '../contents.ts';
import { renderMarkdown } from './renderMarkdown.ts';

/**
 * `site/pages/<guide>.html` for every guide of `docs/`, which is their only source: rendered when it is generated, so
 * that the product needs no Markdown.
 *
 * @param changed texts below `docs/` that are generated themselves and may not be written yet, by path
 * @returns files relative to the project, and what they must hold
 */
export function guideOutputs(
  projectRoot: string,
  changed: ReadonlyMap<string, string> = new Map(),
): { file: string; text: string }[] {
  const folder = path.join(projectRoot, 'docs');
  const names = new Set(readdirSync(folder).flatMap((file) => /^(.+)\.md$/.exec(file)?.[1] ?? []));
  for (const file of changed.keys()) {
    const name = /^docs\/([^/]+)\.md$/.exec(file)?.[1];
    if (name !== undefined) names.add(name);
  }
  return [...names]
    .filter((name) => !notGuides.has(name))
    .sort()
    .map((name) => {
      const read = (file: string) =>
        changed.get(`docs/${file}`) ?? readFileSync(path.join(folder, file), 'utf8');
      return { file: `site/pages/${name}.html`, text: renderMarkdown(read(`${name}.md`), read) };
    });
}
