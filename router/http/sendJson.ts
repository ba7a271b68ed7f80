import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import Negotiator from 'negotiator';

const jsonTypes = ['application/json', 'application/graphql-response+json'];

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

/** Writes a complete GraphQL response in the media type that the client prefers. */
export function sendGraphql(response: ServerResponse, status: number, value: unknown): void {
  sendText(response, status, { 'content-type': graphqlTypeFor(response.req) }, JSON.stringify(value));
}

/**
 * Returns the media type of a GraphQL response: `application/graphql-response+json` if the client prefers it. A client
 * that accepts neither type gets JSON, because a refusal must be readable.
 */
export function graphqlTypeFor(request: IncomingMessage): string {
  const preferred = new Negotiator(request).mediaType(jsonTypes) ?? 'application/json';
  return `${preferred}; charset=utf-8`;
}

/**
 * Returns whether the client prefers a stream also for an operation with one result. Clients such as urql accept both
 * for every operation, and name JSON first.
 */
export function prefersStream(request: IncomingMessage): boolean {
  return new Negotiator(request).mediaType([...jsonTypes, 'text/event-stream']) === 'text/event-stream';
}
