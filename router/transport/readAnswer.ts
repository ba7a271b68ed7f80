import type { SubgraphError, SubgraphResult } from './Transport.ts';

/** Maximum number of errors; a broken subgraph must not fill the response. */
const maxErrors = 1000;

/**
 * Parses the body of a GraphQL response. The content is untrusted: errors are rebuilt from the members with the right
 * type.
 *
 * @returns null if it is not a GraphQL response
 */
export function readAnswer(body: string): SubgraphResult | null {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    return null;
  }
  if (!isRecord(parsed)) return null;
  const data = parsed.data;
  if (data !== undefined && data !== null && !isRecord(data)) return null;
  const errors = Array.isArray(parsed.errors) ? parsed.errors.slice(0, maxErrors).map(toError) : [];
  if (errors.length === 0) return data === undefined || data === null ? null : { data };
  return data === undefined ? { errors } : { data, errors };
}

function toError(value: unknown): SubgraphError {
  if (!isRecord(value)) return { message: 'The subgraph reported an error that cannot be read.' };
  const { message, path, extensions } = value;
  return {
    message: typeof message === 'string' ? message : 'The subgraph reported an error without a message.',
    path: Array.isArray(path) && path.every(isSegment) ? path : undefined,
    extensions: isRecord(extensions) ? extensions : undefined,
  };
}

function isSegment(value: unknown): value is string | number {
  return typeof value === 'string' || (typeof value === 'number' && Number.isInteger(value) && value >= 0);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
