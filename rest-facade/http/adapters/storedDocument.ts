import { hash } from 'node:crypto';
import { type Exchange, type Headers, send } from '../Exchange.ts';

/** A document that does not depend on its reader, with its validator. */
export interface StoredDocument {
  readonly mediaType: string;
  readonly body: string | Buffer;
  readonly etag: string;
  readonly cache: string;
  /** Headers in addition to those of every document. */
  readonly headers: Headers;
}

/** Creates a document from its content. */
export function toStoredDocument(
  mediaType: string,
  body: string | Buffer,
  cache: string,
  headers: Headers = {},
): StoredDocument {
  return { mediaType, body, cache, headers, etag: `"${hash('sha256', body, 'hex').slice(0, 16)}"` };
}

/** Sends a document, or 304 if the client has it. */
export function sendDocument(exchange: Exchange, document: StoredDocument): void {
  const known = exchange.request.headers['if-none-match'];
  const headers: Headers = { 'Cache-Control': document.cache, ETag: document.etag, ...document.headers };
  if (known !== undefined && (known.trim() === '*' || known.includes(document.etag))) {
    return send(exchange, 304, headers);
  }
  headers['Content-Type'] = document.mediaType;
  send(exchange, 200, headers, document.body);
}
