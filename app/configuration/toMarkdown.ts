import type { Settings } from './Setting.ts';

/** Comments of the page between which the tables are. */
const begin = '<!-- Generated from app/configuration by npm run generate. -->\n';
const end = '<!-- End of what is generated. -->';

/**
 * Replaces the tables of settings in a page.
 *
 * @throws Error if the page has no place for them
 */
export function withSettings(page: string, concerns: Readonly<Record<string, Settings>>): string {
  const [before, rest] = page.split(begin);
  const after = rest?.split(end)[1];
  if (before === undefined || after === undefined)
    throw new Error(`The page needs the lines ${begin}and ${end} around its settings.`);
  return `${before}${begin}\n${Object.entries(concerns).map(toTable).join('\n')}\n${end}${after}`;
}

function toTable([concern, settings]: [string, Settings]): string {
  const rows = Object.values(settings).map(
    ({ name, fallback, allowed, meaning }) => `| \`${name}\` | ${fallback} | ${allowed} | ${meaning} |\n`,
  );
  return `## ${concern}\n\n| Variable | Default | Value | Meaning |\n|---|---|---|---|\n${rows.join('')}`;
}
