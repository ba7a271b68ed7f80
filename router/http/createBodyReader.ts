import type { IncomingMessage, ServerResponse } from 'node:http';
import express from 'express';
import { toJsonText } from './toJsonText.ts';

/** Reads the text of a JSON body. Returns null if the request has none. */
type BodyReader = (request: IncomingMessage, response: ServerResponse) => Promise<string | null>;

const jsonType = /^\s*application\/json\s*(?:;|$)/i;

/**
 * Reads bodies of JSON with Express's parser.
 *
 * @param limit largest body in bytes, inflated
 */
export function createBodyReader(limit: number): BodyReader {
  const parseRaw = express.raw({
    type: ({ headers }) => jsonType.test(headers['content-type'] ?? ''),
    limit,
  });
  return async (request, response) => {
    await new Promise<void>((read, failed) => {
      parseRaw(request, response, (error?: unknown) => (error ? failed(error) : read()));
    });
    const { body } = request as { body?: unknown };
    return Buffer.isBuffer(body) ? toJsonText(body) : null;
  };
}
