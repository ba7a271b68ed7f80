import { html } from '../../../../site/html.ts';
import { readBrowserFile } from '../../../../site/readBrowserFile.ts';
import { htmlPage } from '../../../../site/shell/htmlPage.ts';
import type { Exchange } from '../../Exchange.ts';
import { htmlType, pageHeaders } from '../pageHeaders.ts';
import { sendDocument, toStoredDocument } from '../storedDocument.ts';

const cache = 'public, max-age=300';

const content = html`<main>
<h1>Payment sandbox</h1>
<p>This page simulates a payment provider. No money is moved.</p>
<noscript><p>This page needs JavaScript.</p></noscript>
<p id="message" role="alert"></p>
<p id="order" tabindex="-1"></p>
<form data-step="card" hidden>
<button type="submit" name="card" value="SUCCEEDS">Card that pays</button>
<button type="submit" name="card" value="DECLINED">Card that is declined</button>
<button type="submit" name="card" value="CHALLENGE">Card that requires confirmation</button>
<button type="submit" name="card" value="SLOW">Card that takes five seconds</button>
</form>
<form data-step="answer" hidden>
<button type="submit" name="answer" value="ACCEPT">Confirm</button>
<button type="submit" name="answer" value="REJECT">Reject</button>
</form>
<p data-step="back" hidden><a id="back" rel="noreferrer">Back</a></p>
</main>`;

const text = htmlPage({
  title: 'Payment sandbox',
  styles: ['/account/assets/page.css'],
  scripts: [html`<script type="module" src="/sandbox/page.js"></script>`],
  content,
});
const page = toStoredDocument(htmlType, text, cache, { ...pageHeaders });
const script = toStoredDocument('text/javascript; charset=utf-8', readBrowserFile('sandbox.js'), cache, {
  'X-Content-Type-Options': 'nosniff',
});

/**
 * Serves `/sandbox/pay`, to which the sandbox sends payers and dealers, as a provider does. The page is the same for
 * every reader; its subject is in the fragment, which only the page itself sees.
 */
export function sandboxPage(exchange: Exchange): void {
  sendDocument(exchange, page);
}

/** Serves `/sandbox/page.js`. */
export function sandboxAsset(exchange: Exchange): void {
  sendDocument(exchange, script);
}
