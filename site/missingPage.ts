import { html } from './html.ts';
import { siteDocument } from './shell/siteDocument.ts';

/** Returns the page that a browser gets for an address without a page. It is the same for every address. */
export function missingPage(): string {
  return siteDocument(
    {
      path: '',
      title: 'Page not found',
      layout: 'wide',
      headings: () => [],
      content: () => html`<h1>Page not found</h1>
<p>No page exists at this address. Check the address, or continue from one of these pages:</p>
<ul>
<li><a href="/">Start page</a></li>
<li><a href="/docs">Documentation</a></li>
</ul>`,
    },
    [],
  );
}
