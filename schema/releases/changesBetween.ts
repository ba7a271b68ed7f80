import { buildSchema } from 'graphql';
import type { AcceptedChange } from '../../packages/schema-check/src/acceptedChanges.ts';
import { diffApi } from '../../packages/schema-check/src/graph/diffApi.ts';
import { diffGuards } from '../../packages/schema-check/src/guards/diffGuards.ts';
import { diffOpenApi } from '../../packages/schema-check/src/rest/diffOpenApi.ts';
import type { Json } from '../../packages/schema-check/src/rest/Json.ts';
import { guardLanguage } from '../check/guardLanguage.ts';
import type { Release, ReleasedChange } from './Release.ts';

/**
 * Returns the changes from a release to the next one, by the rules of `npm run schema:check`, in ascending order of
 * their ids. Every member counts as used, because no operation is known to be the last one.
 *
 * @param accepted reasons for breaking changes
 */
export function changesBetween(
  before: Release,
  after: Release,
  accepted: readonly AcceptedChange[] = [],
): ReleasedChange[] {
  const schemas = (sdl: string) => buildSchema(sdl, { assumeValidSDL: true });
  const changes = [
    ...diffApi(schemas(before.api), schemas(after.api), { usesField: () => true, usesType: () => true }),
    ...diffGuards(schemas(before.supergraph), schemas(after.supergraph), guardLanguage),
    ...diffOpenApi(JSON.parse(before.openApi) as Json, JSON.parse(after.openApi) as Json),
  ];
  const reasons = new Map(accepted.map(({ id, reason }) => [id, reason]));
  return [...new Map(changes.map((change) => [change.id, change])).values()]
    .sort((a, b) => (a.id < b.id ? -1 : 1))
    .map(({ id, kind, path, severity, message }) => {
      const reason = reasons.get(id);
      return { id, kind, path, severity, message, ...(reason === undefined ? {} : { reason }) };
    });
}
