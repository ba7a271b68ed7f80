import Negotiator from 'negotiator';
import { html } from '../../../../site/html.ts';
import { readBrowserFile } from '../../../../site/readBrowserFile.ts';
import { htmlPage } from '../../../../site/shell/htmlPage.ts';
import type { Exchange } from '../../Exchange.ts';
import { Refusal } from '../../Refusal.ts';
import { htmlType, pageHeaders } from '../pageHeaders.ts';
import { type StoredDocument, sendDocument, toStoredDocument } from '../storedDocument.ts';
import { bodies } from './pageBodies.ts';
import type { AccountTexts } from './texts/AccountTexts.ts';
import { english } from './texts/english.ts';
import { french } from './texts/french.ts';
import { german } from './texts/german.ts';
import { spanish } from './texts/spanish.ts';

const cache = 'public, max-age=300';
const languages: Readonly<Record<string, AccountTexts>> = {
  en: english,
  de: german,
  fr: french,
  es: spanish,
};
const assets: Readonly<Record<string, StoredDocument>> = {
  'page.js': toStoredDocument('text/javascript; charset=utf-8', readBrowserFile('account.js'), cache, {
    'X-Content-Type-Options': 'nosniff',
  }),
  'page.css': toStoredDocument('text/css; charset=utf-8', readBrowserFile('account.css'), cache, {
    'X-Content-Type-Options': 'nosniff',
  }),
};
const rendered = new Map<string, StoredDocument>();

/**
 * Serves `/account/{page}`, to which links in mails and payment providers lead if an installation has no pages of its
 * own. The page is the same for every reader; the token is in the fragment, which only the page itself sees.
 */
export function accountPage(exchange: Exchange, page: string): void {
  const language = new Negotiator(exchange.request).language(Object.keys(languages)) ?? 'en';
  const key = `${page} ${language}`;
  let document = rendered.get(key);
  if (!document) {
    document = render(page, language);
    rendered.set(key, document);
  }
  sendDocument(exchange, document);
}

/** Serves `/account/assets/{asset}`: script and style of the pages. */
export function accountAsset(exchange: Exchange, name: string): void {
  const document = Object.hasOwn(assets, name) ? assets[name] : undefined;
  if (!document) throw new Refusal('not_found', 'This file does not exist.');
  sendDocument(exchange, document);
}

function render(page: string, language: string): StoredDocument {
  const body = Object.hasOwn(bodies, page) ? bodies[page] : undefined;
  if (!body) throw new Refusal('not_found', 'This page does not exist.');
  const texts = languages[language] ?? english;
  const { title, steps, withToken, withoutToken, messages } = body(texts);
  const text = htmlPage({
    language,
    title,
    styles: ['/account/assets/page.css'],
    scripts: [html`<script type="module" src="/account/assets/page.js"></script>`],
    attributes: html` data-with-token="${withToken}" data-without-token="${withoutToken}"`,
    content: html`<main>
<h1>${title}</h1>
<noscript><p>${texts.noScript}</p></noscript>
<p id="message" role="alert"></p>
${steps}
</main>
<ul hidden>${Object.entries(messages).map(([code, words]) => html`<li data-code="${code}">${words}</li>`)}</ul>`,
  });
  return toStoredDocument(htmlType, text, cache, { ...pageHeaders, Vary: 'Accept-Language' });
}
