import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { HistoryEntry } from '../../schema/releases/historyOf.ts';
import { defaultRestRoot } from '../../schema/route/pathTemplate.ts';
import { type Html, html } from '../html.ts';
import type { SitePage } from '../SitePage.ts';

const file = path.join(import.meta.dirname, '../../schema/history.json');

/** Filters of rows, by the word in the URL. */
const states = {
  added: 'added after the first release',
  deprecated: 'deprecated',
  removed: 'removed',
} as const;

/**
 * Returns the page that shows in which release each part of the contract was added, deprecated and removed. It is read
 * on first use, because most processes never need it. Paths are those of this deployment.
 */
export function historyPage(restRoot: string): SitePage {
  return {
    path: '/docs/history',
    title: 'History of fields and routes',
    keywords: 'releases versions added deprecated removed sunset changelog',
    headings: () => [],
    content: () => contentOf(readHistory(restRoot)),
    layout: 'wide',
    styles: ['audit.css'],
    scripts: ['rows.js'],
  };
}

function readHistory(restRoot: string): HistoryEntry[] {
  const text = readFileSync(file, 'utf8').replaceAll(` ${defaultRestRoot}/`, ` ${restRoot}/`);
  return JSON.parse(text) as HistoryEntry[];
}

function contentOf(entries: readonly HistoryEntry[]): Html {
  return html`<h1>History of fields and routes</h1>
<p>Every route and every part of the GraphQL schema, with the releases in which it was added, deprecated and removed. The <a href="/docs/changelog">changelog</a> lists the same changes by release.</p>
<form role="search">
<label>Name <input type="search" name="q" placeholder="Listing.price, listings …" autocomplete="off"></label>
<label>Style <select name="style"><option value="">both</option><option value="rest">REST</option><option value="graphql">GraphQL</option></select></label>
<label>Status <select name="status"><option value="">any</option>${Object.entries(states).map(
    ([word, text]) => html`<option value="${word}">${text}</option>`,
  )}</select></label>
<p id="count" role="status"></p>
</form>
<div class="rows" role="region" aria-label="Parts of the contract" tabindex="0"><table><caption>Parts of the contract</caption><thead><tr>${[
    'Name',
    'Kind',
    'Added in',
    'Deprecated in',
    'Removed in',
  ].map(
    (name) => html`<th scope="col">${name}</th>`,
  )}</tr></thead><tbody>${entries.map(rowOf)}</tbody></table></div>`;
}

function rowOf(entry: HistoryEntry): Html {
  const { name, kind, addedIn, deprecatedIn, removedIn } = entry;
  const style = kind === 'route' || kind === 'parameter' ? 'rest' : 'graphql';
  const status = [
    ...(addedIn === null ? [] : ['added']),
    ...(deprecatedIn === null ? [] : ['deprecated']),
    ...(removedIn === null ? [] : ['removed']),
  ];
  return html`<tr data-style="${style}" data-status="${status.join(' ')}"><th scope="row"><code>${name}</code></th>${[
    kind,
    addedIn ?? 'first release',
    deprecationOf(entry),
    removedIn ?? '',
  ].map((cell) => html`<td>${cell}</td>`)}</tr>`;
}

/** Returns the release of the deprecation with its days, and the replacement. */
function deprecationOf({ deprecatedIn, deprecation }: HistoryEntry): string {
  if (deprecatedIn === null) return '';
  const { since, until, reason } = deprecation ?? {};
  const days = [
    ...(since === undefined ? [] : [`deprecated on ${since}`]),
    ...(until === undefined ? [] : [`removed after ${until}`]),
  ];
  return [deprecatedIn, ...(days.length > 0 ? [`(${days.join(', ')})`] : []), reason ?? ''].join(' ').trim();
}
