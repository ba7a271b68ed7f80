import { isDeepStrictEqual } from 'node:util';
import { unlike } from '../../contract/examples/unlike.ts';
import type { Answer } from './BothStyles.ts';

/** Members that only one style has, or that name a request. */
const ofOneStyle: ReadonlySet<string> = new Set([
  'limit',
  'instance',
  'requestId',
  'challenge',
  'retryAfter',
  'error_description',
]);

/** Difference between two answers, or null. `paired`: of two writes, which differ in ids, times and addresses. */
export function differenceOf(rest: Answer, graphql: Answer, paired: boolean): string | null {
  const [a, b] = [comparable(rest.body), comparable(graphql.body)];
  const isProblem = rest.status >= 400 || graphql.status >= 400;
  if (isProblem && rest.status !== graphql.status)
    return `REST ${rest.status} ${JSON.stringify(rest.body)}, GraphQL ${graphql.status} ${JSON.stringify(graphql.body)}`;
  if (paired) return unlike(a, b).join('\n     ') || null;
  return isDeepStrictEqual(a, b) ? null : `REST ${JSON.stringify(a)}\n     GraphQL ${JSON.stringify(b)}`;
}

function comparable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(comparable);
  if (typeof value === 'string') return value.replace(/^(REST|GQL)-\w+$/, 'stock');
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([name]) => !ofOneStyle.has(name));
  // Cursors are sealed for each answer, and the address of a problem contains its installation.
  return Object.fromEntries(
    members.map(([name, member]) => {
      if (name === 'nextCursor') return [name, member !== null];
      if (name === 'type' && String(member).includes('/problems/')) return [name, 'a problem'];
      return [name, comparable(member)];
    }),
  );
}
