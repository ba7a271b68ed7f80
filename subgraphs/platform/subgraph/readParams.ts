import type { IncomingMessage, ServerResponse } from 'node:http';
import express from 'express';
import { AppError } from '../errors/AppError.ts';
import type { OperationText } from './readOperations.ts';

/** Operation of a request with its variables. */
export interface Params extends OperationText {
  readonly variables: Readonly<Record<string, unknown>>;
}

/** Bytes of the longest document with its variables. */
const longestBody = 10 * 1024 * 1024;
const parseJson = express.json({ limit: longestBody });

/**
 * Reads the operation of a JSON body, or of the query string of a GET, in which variables are JSON text.
 *
 * @throws AppError, and errors of Express's parser with a `status`
 */
export async function readParams(request: IncomingMessage, response: ServerResponse): Promise<Params> {
  if (request.method === 'GET') return readQueryString(request.url ?? '');
  if (request.method !== 'POST')
    throw new AppError('method_not_allowed', 'Send operations with POST. Only subscriptions may be GET.');
  await new Promise<void>((read, failed) => {
    parseJson(request, response, (error?: unknown) => (error ? failed(error) : read()));
  });
  const { body } = request as { body?: unknown };
  return toParams(isRecord(body) ? body : {});
}

function readQueryString(url: string): Params {
  const { searchParams } = new URL(url, 'http://subgraph');
  const { variables = 'null', ...text } = Object.fromEntries(searchParams);
  try {
    return toParams({ ...text, variables: JSON.parse(variables) as unknown });
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new AppError('malformed_request', '`variables` of the query string must be JSON.');
  }
}

function toParams({ query, operationName, variables }: Record<string, unknown>): Params {
  if (typeof query !== 'string')
    throw new AppError('malformed_request', '`query` must be the text of a document.');
  if (typeof (operationName ?? '') !== 'string' || !isRecord(variables ?? {}))
    throw new AppError('malformed_request', '`operationName` must be text, and `variables` an object.');
  return {
    query,
    operationName: (operationName ?? '') as string,
    variables: (variables ?? {}) as Params['variables'],
  };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
