import { isDeepStrictEqual } from 'node:util';
import type { Answer } from './BothStyles.ts';

/** Members that differ between two writes of the same thing, or that are sealed anew each time. */
const volatile: ReadonlySet<string> = new Set([
  'id',
  'userId',
  'email',
  'version',
  'createdAt',
  'updatedAt',
  'publishedAt',
  'expiresAt',
  'slug',
  'url',
  'stockNumber',
  'access_token',
  'refresh_token',
  'session_id',
  'accessToken',
  'refreshToken',
  'sessionId',
  'groupId',
  'translationId',
  'objectId',
  'requestId',
  'instance',
  'type',
  'revision',
  'publishedRevision',
  'at',
  'contentVersion',
  'current',
  'previous',
]);

/** What differs between two answers, or null. `paired`: of two writes, whose own names are left out of account. */
export function differenceOf(rest: Answer, graphql: Answer, paired: boolean): string | null {
  const [a, b] = [rest, graphql].map(({ body }) => comparable(body, paired));
  const problem = rest.status >= 400 || graphql.status >= 400;
  if (problem && rest.status !== graphql.status)
    return `REST ${rest.status} ${JSON.stringify(rest.body)}, GraphQL ${graphql.status} ${JSON.stringify(graphql.body)}`;
  return isDeepStrictEqual(a, b) ? null : `REST ${JSON.stringify(a)}\n     GraphQL ${JSON.stringify(b)}`;
}

/** Drops what only one style has (page size, challenge), what names a request, and of paired writes what names a thing. */
function comparable(value: unknown, paired: boolean): unknown {
  if (Array.isArray(value)) return value.map((entry) => comparable(entry, paired));
  if (typeof value === 'string')
    return paired
      ? value
          .replaceAll(/\b(lst|trn|grp|usr|ses|seo|snap)_[0-9A-Z]{26}\b/g, '$1_…')
          .replaceAll(/(REST|GQL)-\w+/g, 'stock')
      : value;
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).flatMap(([name, member]): [string, unknown][] => {
    if (name === 'nextCursor') return [[name, member !== null]];
    if (['limit', 'instance', 'requestId', 'challenge', 'retryAfter'].includes(name)) return [];
    if (name === 'type' && typeof member === 'string' && member.includes('/problems/')) return [];
    if (paired && volatile.has(name)) return [];
    return [[name, comparable(member, paired)]];
  });
  return Object.fromEntries(members.sort(([a], [b]) => (a < b ? -1 : 1)));
}
