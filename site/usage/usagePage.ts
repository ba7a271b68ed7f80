import { html } from '../html.ts';
import type { SitePage } from '../SitePage.ts';

/**
 * Page that shows the use of the API. The browser reads it by the GraphQL query `apiUsage` with the token of the reader, so
 * the guard of this query applies.
 */
export const usagePage: SitePage = {
  path: '/docs/usage',
  title: 'Use of the API',
  keywords: 'usage ledger clients deprecated calls last used',
  headings: () => [],
  content: () => html`<h1>Use of the API</h1>
<p>Clients of this installation, and the operations and routes that they executed in the last 30 days. Needs a token with the permission <code>usage:read</code>; the page keeps it until it is closed. <a href="/docs/api-usage">API usage</a> describes what is counted.</p>
<form id="usage">
<label>Access token <input type="password" name="token" required autocomplete="off"></label>
<label>Part of the schema <input name="coordinate" placeholder="Listing.title" autocomplete="off"></label>
<label>Client <input name="client" placeholder="cli_… or a name" autocomplete="off"></label>
<button>Show</button>
<p id="count" role="status"></p>
</form>
<div class="rows" role="region" aria-label="Use by client" tabindex="0"><table><caption>Use by client</caption><thead><tr>${[
    'Client',
    'Operation or route',
    'Executions',
    'Last executed',
  ].map((name) => html`<th scope="col">${name}</th>`)}</tr></thead><tbody></tbody></table></div>
<p><button type="button" id="more" hidden>Show more</button></p>`,
  layout: 'wide',
  styles: ['audit.css'],
  scripts: ['usage.js'],
};
