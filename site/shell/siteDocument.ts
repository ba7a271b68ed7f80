import { escapeHtml } from '../escapeHtml.ts';
import type { PageGroup, SitePage } from '../SitePage.ts';

/** Pages that every page leads to, besides the list of guides. */
const doors = [
  ['/docs', 'Guides'],
  ['/docs/rest', 'REST'],
  ['/graphiql', 'GraphQL'],
  ['/audit', 'Audit'],
  ['/problems', 'Errors'],
] as const;

/**
 * A page of the documentation: the same head, navigation and switch of colours on each. Neither script nor style stands
 * in it, and every address is one of this server, from the root.
 */
export function siteDocument(page: SitePage, groups: readonly PageGroup[]): string {
  const { path, title, layout, styles = [], scripts = [] } = page;
  const sheets = [...styles, 'site.css'].map((name) => `<link rel="stylesheet" href="/docs/${name}">`);
  const last = ['site.js', ...scripts].map((name) => `<script src="/docs/${name}"></script>`);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} · Trigate</title>
<link rel="icon" href="data:,">
<script src="/docs/theme.js"></script>
${sheets.join('\n')}
</head>
<body${layout === 'wide' ? ' class="wide"' : ''}>
<a class="skip" href="#content">Skip to the content</a>
<header>
<a class="name" href="/docs">Trigate</a>
<nav aria-label="Parts">${doors.map(([to, text]) => link(to, text, path, to === '/graphiql' ? 'live' : '')).join(' ')}</nav>
<button type="button" id="theme" hidden>Colours: system</button>
</header>
${layout === 'wide' ? '' : aside(groups, path)}
<main id="content" tabindex="-1">
${page.content()}
</main>
${last.join('\n')}
</body>
</html>
`;
}

function aside(groups: readonly PageGroup[], path: string): string {
  const lists = groups.map(({ title, pages, folded }) => {
    const isHere = pages.some((page) => page.path === path);
    const shown = folded && !isHere ? pages.slice(0, 1) : pages;
    return `<h2>${escapeHtml(title)}</h2>
<ul>${shown.map((page) => `<li>${link(page.path, page.title, path)}</li>`).join('\n')}</ul>`;
  });
  return `<details id="menu" open>
<summary>Pages</summary>
<div class="search" role="search" hidden><label for="find">Search</label>
<input id="find" type="search" autocomplete="off" aria-controls="found">
<p id="count" role="status"></p>
<ul id="found"></ul></div>
<nav aria-label="Pages" id="pages">
${lists.join('\n')}
</nav>
</details>`;
}

/** `live`: what only the running product has. */
function link(to: string, text: string, path: string, kind = ''): string {
  return `<a ${kind === '' ? '' : `class="${kind}" `}href="${to}"${to === path ? ' aria-current="page"' : ''}>${escapeHtml(text)}</a>`;
}
