import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';

/** Writes a whole answer of text. Its length is said: without it, it would be sent as a stream of chunks. */
export function sendText(
  response: ServerResponse,
  status: number,
  headers: Readonly<OutgoingHttpHeaders>,
  body: string,
): void {
  response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) });
  response.end(body);
}

/** Writes a whole answer of JSON. */
export function sendJson(response: ServerResponse, status: number, value: unknown): void {
  sendText(response, status, { 'content-type': 'application/json; charset=utf-8' }, JSON.stringify(value));
}
