import { type Change, toChange } from '../Change.ts';
import { diffParameters } from './diffParameters.ts';
import { diffRequestBody } from './diffRequestBody.ts';
import { diffResponses } from './diffResponses.ts';
import { createSchemaDiff } from './diffSchemas.ts';
import type { Json } from './Json.ts';
import { type OpenApi, type Operation, readOpenApi } from './OpenApi.ts';
import type { SchemaDiff } from './Position.ts';

/**
 * Compares two OpenAPI 3.1 documents by direction: a request may only accept more, a response may only promise more.
 * Routes are equal if method and path are, regardless of the names of path parameters.
 */
export function diffOpenApi(base: Json, next: Json): Change[] {
  const [before, after] = [readOpenApi(base), readOpenApi(next)];
  const diffSchemas = createSchemaDiff(base, next);
  const changes: Change[] = [];
  for (const operation of before.operations.values()) {
    const now = after.operations.get(operation.key);
    if (now) changes.push(...diffOperation(operation, now, before, after, diffSchemas));
    else changes.push(removed(operation, before, after));
  }
  for (const { key, name } of after.operations.values()) {
    if (!before.operations.has(key)) changes.push(toChange('route-added', name, `${name} was added.`));
  }
  return changes;
}

/** Returns a removed route. Its operation may now be served at a new method and path. */
function removed({ name, field }: Operation, before: OpenApi, after: OpenApi): Change {
  const moved = [...after.operations.values()].find(
    (operation) => field !== undefined && operation.field === field && !before.operations.has(operation.key),
  );
  return moved
    ? toChange('route-moved', name, `${name} is gone; ${field} answers at ${moved.name} now.`)
    : toChange('route-removed', name, `${name} is gone.`);
}

function diffOperation(
  before: Operation,
  after: Operation,
  { document: base }: OpenApi,
  { document: next }: OpenApi,
  diffSchemas: SchemaDiff,
): Change[] {
  const documents = { base, next, diffSchemas };
  return [
    ...diffSecurity(before, after),
    ...diffWords(before, after),
    ...diffParameters(before, after, diffSchemas),
    ...diffRequestBody(before, after, documents),
    ...diffResponses(before, after, documents),
  ];
}

function diffSecurity({ name, security: was }: Operation, { security: is }: Operation): Change[] {
  const changes: Change[] = [];
  const words = `${name} takes ${is.join(' or ') || 'every caller'}, before ${was.join(' or ') || 'every caller'}.`;
  const isRefused = is.length > 0 && (was.length === 0 || was.some((scheme) => !is.includes(scheme)));
  const isOpened = was.length > 0 && (is.length === 0 || is.some((scheme) => !was.includes(scheme)));
  if (isRefused) changes.push(toChange('security-stricter', name, words));
  if (isOpened) changes.push(toChange('security-looser', name, words));
  return changes;
}

function diffWords({ name, body: was }: Operation, { body: is }: Operation): Change[] {
  const changes: Change[] = [];
  if (was.operationId !== is.operationId) {
    const message = `${name} is called ${String(is.operationId)}, before ${String(was.operationId)}.`;
    changes.push(toChange('operation-id-changed', name, message));
  }
  if (is.deprecated === true && was.deprecated !== true) {
    changes.push(toChange('route-deprecated', name, `${name} is deprecated.`));
  }
  return changes;
}
