import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';

/** Writes a complete text response with its length; without it, the response would be chunked. */
export function sendText(
  response: ServerResponse,
  status: number,
  headers: Readonly<OutgoingHttpHeaders>,
  body: string,
): void {
  response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) });
  response.end(body);
}

/** Writes a complete JSON response. */
export function sendJson(response: ServerResponse, status: number, value: unknown): void {
  sendText(response, status, { 'content-type': 'application/json; charset=utf-8' }, JSON.stringify(value));
}
