import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { contents } from './contents.ts';
import { headingsOf, textOf } from './headingsOf.ts';
import { trusted } from './html.ts';
import type { PageGroup, SitePage } from './SitePage.ts';

const folder = path.join(import.meta.dirname, 'pages');

/**
 * Returns the guides in the groups of `contents`; each is read on first use.
 *
 * @throws Error if they were not generated
 */
export function guideGroups(): PageGroup[] {
  if (!existsSync(folder)) throw new Error('site/pages is missing: run "npm run generate".');
  const left = new Set(readdirSync(folder).flatMap((file) => /^(.+)\.html$/.exec(file)?.[1] ?? []));
  const groups = contents.map(({ title, guides }) => ({
    title,
    pages: guides.filter((name) => left.delete(name)).map(guidePage),
  }));
  groups.push({ title: 'More', pages: [...left].sort().map(guidePage) });
  return groups.filter(({ pages }) => pages.length > 0);
}

function guidePage(name: string): SitePage {
  let kept: string | undefined;
  const text = () => (kept ??= readFileSync(path.join(folder, `${name}.html`), 'utf8'));
  return {
    path: `/docs/${name}`,
    get title() {
      return textOf(/<h1>(.*?)<\/h1>/.exec(text())?.[1] ?? name);
    },
    headings: () => headingsOf(text()),
    content: () => trusted(text()),
  };
}
