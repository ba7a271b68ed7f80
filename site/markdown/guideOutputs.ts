import { globSync, readFileSync } from 'node:fs';
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
  const files = new Set(
    globSync('docs/*/*.md', { cwd: projectRoot }).map((file) => file.replaceAll(path.sep, '/')),
  );
  for (const file of changed.keys()) if (isGuide(file)) files.add(file);
  return [...files].filter(isGuide).map((file) => {
    const read = (name: string) => changed.get(name) ?? readFileSync(path.join(projectRoot, name), 'utf8');
    const readBeside = (name: string) => read(path.posix.join(path.posix.dirname(file), name));
    return {
      file: `site/pages/${path.posix.basename(file, '.md')}.html`,
      text: renderMarkdown(read(file), readBeside),
    };
  });
}

/** Decisions are for people who change the product. */
function isGuide(file: string): boolean {
  const [, folder, name = ''] = /^docs\/([^/]+)\/([^/]+)\.md$/.exec(file) ?? [];
  return name !== '' && folder !== 'adr' && !notGuides.has(name);
}
