import { html } from './html.ts';
import type { SitePage } from './SitePage.ts';

const contracts = [
  ['', 'All interfaces'],
  ['?of=a', 'A: marketplace'],
  ['?of=b', 'B: search optimization'],
  ['?of=c', 'C: translation'],
] as const;

/** The contract in Swagger UI, whole or one interface of it. */
export const restExplorer: SitePage = {
  path: '/docs/rest',
  title: 'REST explorer',
  keywords: 'swagger openapi contract',
  headings: () => [],
  content: () => html`<h1 class="unseen">REST explorer</h1>
<nav class="contracts" aria-label="Contracts">${contracts.map(
    ([query, title]) => html`<a href="/docs/rest${query}">${title}</a>`,
  )}</nav>
<div id="swagger"></div>`,
  layout: 'wide',
  styles: ['swagger-ui.css', 'swagger-theme.css'],
  scripts: ['swagger-ui-bundle.js', 'swagger-start.js'],
};
