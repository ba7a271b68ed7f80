import Negotiator from 'negotiator';
import { type ErrorCode, errorCodes, isErrorCode, titleOf } from '../../../schema/errorCodes.ts';
import { errorMeanings } from '../../../schema/errorMeanings.ts';
import type { Exchange } from '../Exchange.ts';
import { Refusal } from '../Refusal.ts';
import { escapeHtml, htmlDocument } from './htmlDocument.ts';
import { type StoredDocument, sendDocument, toStoredDocument } from './storedDocument.ts';

const cache = 'public, max-age=3600';

/** `/problems/{code}`: what a problem type means, for people (HTML) and programs (JSON). */
export function problemPage(exchange: Exchange, code: string): void {
  if (!isErrorCode(code)) throw new Refusal('not_found', 'No problem has this code.');
  sendDocument(exchange, wantsJson(exchange) ? toJson(describe(code)) : toPage(code));
}

/** `/problems`: every problem type by status. */
export function problemIndex(exchange: Exchange): void {
  const codes = (Object.keys(errorCodes) as ErrorCode[]).map(describe);
  if (wantsJson(exchange)) return sendDocument(exchange, toJson({ data: codes }));
  const rows = codes.map(
    ({ code, status, meaning }) =>
      `<tr><td>${status}</td><td><a href="/problems/${code}">${code}</a></td><td>${escapeHtml(meaning)}</td></tr>`,
  );
  const head = '<tr><th>Status</th><th>Code</th><th>Meaning</th></tr>';
  sendDocument(exchange, html('Problems', `<h1>Problems</h1><table>${head}${rows.join('')}</table>`));
}

function describe(code: ErrorCode) {
  return { code, title: titleOf(code), status: errorCodes[code], meaning: errorMeanings[code] };
}

function toPage(code: ErrorCode): StoredDocument {
  const { title, status, meaning } = describe(code);
  const body = `<h1>${escapeHtml(title)}</h1>
<p><code>${code}</code>, HTTP status ${status}</p>
<p>${escapeHtml(meaning)}</p>
<p><a href="/problems">All problems</a></p>`;
  return html(title, body);
}

function html(title: string, body: string): StoredDocument {
  const { mediaType, text, headers } = htmlDocument(title, body);
  return toStoredDocument(mediaType, text, cache, { ...headers, Vary: 'Accept' });
}

function toJson(value: unknown): StoredDocument {
  return toStoredDocument('application/json', JSON.stringify(value), cache, { Vary: 'Accept' });
}

/** HTML unless the client prefers JSON: the address is followed by people. */
function wantsJson({ request }: Exchange): boolean {
  return new Negotiator(request).mediaType(['text/html', 'application/json']) === 'application/json';
}
