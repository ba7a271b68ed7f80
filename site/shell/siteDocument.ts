import { type Html, html } from '../html.ts';
import type { PageGroup, SitePage } from '../SitePage.ts';
import { htmlPage } from './htmlPage.ts';

/** Pages to which every page links, besides the list of guides. */
const parts = [
  ['/docs', 'Guides'],
  ['/docs/rest', 'REST'],
  ['/graphiql', 'GraphQL'],
  ['/audit', 'Audit'],
  ['/problems', 'Errors'],
] as const;

/** Script of the colours, which the head of every page loads. */
export const themeScript = html`<script src="/docs/theme.js"></script>`;

/** Returns the header of every page: links to the parts, and the switch of colours. It needs `shell.css`. */
export function siteHeader(path: string): Html {
  return html`<header>
<a class="name" href="/docs">Trigate</a>
<nav aria-label="Parts">${parts.map(([to, text]) => link(to, text, path, to === '/graphiql'))}</nav>
<button type="button" id="theme" hidden>Colours: system</button>
</header>`;
}

/**
 * Renders a page of the documentation with the common head, navigation and color switch. It has no inline script or
 * style, and only links from the root of this server.
 */
export function siteDocument(page: SitePage, groups: readonly PageGroup[]): string {
  const { path, title, layout, styles = [], scripts = [] } = page;
  const isWide = layout === 'wide';
  const asset = (name: string): string => `/docs/${name}`;
  return htmlPage({
    title: `${title} · Trigate`,
    styles: [...styles, 'shell.css', 'site.css'].map(asset),
    scripts: [themeScript],
    attributes: isWide ? html` class="wide"` : html``,
    content: html`<a class="skip" href="#content">Skip to the content</a>
${siteHeader(path)}
${isWide ? '' : aside(groups, path)}
<main id="content" tabindex="-1">
${page.content()}
</main>
${['site.js', ...scripts].map((name) => html`<script src="${asset(name)}"></script>`)}`,
  });
}

function aside(groups: readonly PageGroup[], path: string): Html {
  const lists = groups.map(({ title, pages, folded }) => {
    const isHere = pages.some((page) => page.path === path);
    const shown = folded && !isHere ? pages.slice(0, 1) : pages;
    return html`<h2>${title}</h2>
<ul>${shown.map((page) => html`<li>${link(page.path, page.title, path)}</li>`)}</ul>`;
  });
  return html`<details id="menu" open>
<summary>Pages</summary>
<div class="search" role="search" hidden><label for="find">Search</label>
<input id="find" type="search" autocomplete="off" aria-controls="found">
<p id="count" role="status"></p>
<ul id="found"></ul></div>
<nav aria-label="Pages" id="pages">
${lists}
</nav>
</details>`;
}

/**
 * Returns a link.
 *
 * @param isLive whether only the running product has the page
 */
function link(to: string, text: string, path: string, isLive = false): Html {
  const current = to === path ? html` aria-current="page"` : '';
  return html`<a ${isLive ? html`class="live" ` : ''}href="${to}"${current}>${text}</a>`;
}
