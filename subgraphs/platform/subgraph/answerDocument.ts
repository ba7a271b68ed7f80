import type { IncomingMessage, ServerResponse } from 'node:http';
import { type ApolloServer, HeaderMap } from '@apollo/server';
import type { RequestContext } from '../context/RequestContext.ts';
import { AppError } from '../errors/AppError.ts';

/** Bytes of the longest document with its variables. */
export const longestBody = 10 * 1024 * 1024;

/**
 * Whether a request is what routers send nearly always: a document as JSON whose length is stated, no stream asked for.
 * Nothing of it needs Express, which costs more than such a request itself.
 */
export function isPlainDocument({ method, headers }: IncomingMessage): boolean {
  const length = headers['content-length'];
  return (
    method === 'POST' &&
    headers['content-type'] === 'application/json' &&
    headers['content-encoding'] === undefined &&
    length !== undefined &&
    Number(length) <= longestBody &&
    headers.accept?.startsWith('text/event-stream') !== true
  );
}

/**
 * Hands a plain document to Apollo Server and writes what it answers.
 *
 * @param context of the router that was recognised
 */
export async function answerDocument(
  apollo: ApolloServer<RequestContext>,
  context: RequestContext,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const text = await readText(request);
  // Whoever left in the middle of his request waits for nothing.
  if (text === null) return;
  const body = parse(text);
  if (body === undefined) {
    answerError(response, new AppError('malformed_request', 'The request could not be answered.'));
    return;
  }
  const headers = new HeaderMap([['content-type', 'application/json']]);
  if (request.headers.accept !== undefined) headers.set('accept', request.headers.accept);
  const answer = await apollo.executeHTTPGraphQLRequest({
    httpGraphQLRequest: { method: 'POST', headers, search: '', body },
    context: async () => context,
  });
  if (answer.body.kind !== 'complete') throw new Error('A document was answered in parts.');
  response.statusCode = answer.status ?? 200;
  for (const [name, value] of answer.headers) response.setHeader(name, value);
  // A text that is all leaves with its head in one write.
  response.end(answer.body.string);
}

/** Answers what fails outside of GraphQL in the form of GraphQL. */
export function answerError(response: ServerResponse, { status, message, extensions }: AppError): void {
  response.statusCode = status;
  response.setHeader('content-type', 'application/json; charset=utf-8');
  response.end(JSON.stringify({ errors: [{ message, extensions }] }));
}

/** @returns null when the request ends before its body does */
function readText(request: IncomingMessage): Promise<string | null> {
  return new Promise((read) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.once('end', () => {
      const [first] = chunks;
      read((chunks.length === 1 && first ? first : Buffer.concat(chunks)).toString('utf8'));
    });
    request.once('error', () => read(null));
    request.once('close', () => read(null));
  });
}

/** @returns undefined for what is no JSON */
function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
