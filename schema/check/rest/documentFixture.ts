import { shopOpenApi } from '../shopFixture.ts';
import { diffOpenApi } from './diffOpenApi.ts';
import type { Json } from './Json.ts';

/** Part of a document that a test changes. */
export type Part = Record<string, unknown>;

/** The part at a path. */
export function at(document: Part, ...path: string[]): Part {
  return path.reduce<Part>((part, name) => part[name] as Part, document);
}

/** Ids with severities between the fixture's document, edited twice. */
export function diff(before: (document: Part) => void, after: (document: Part) => void): string[] {
  const [base, next] = [shopOpenApi(), shopOpenApi()];
  before(base);
  after(next);
  return diffOpenApi(base as Json, next as Json).map(({ severity, id }) => `${severity} ${id}`);
}

/** Ids between two schemas of the value of a request and, the same, of an answer. */
export function diffValue(polarity: 'request' | 'response', before: unknown, after: unknown): string[] {
  const put = (schema: unknown) => (document: Part) => {
    const operation = at(document, 'paths', '/api/v1/listings', 'post');
    const media = { 'application/json': { schema: { type: 'object', properties: { value: schema } } } };
    if (polarity === 'request') operation.requestBody = { required: true, content: media };
    else at(operation, 'responses', '201').content = media;
  };
  return diff(put(before), put(after));
}

/** Where that value stands. */
export const place = {
  request: 'POST /api/v1/listings body value',
  response: 'POST /api/v1/listings 201 value',
};
