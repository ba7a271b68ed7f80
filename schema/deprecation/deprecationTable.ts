import { type Deprecation, parseDeprecation } from './Deprecation.ts';
import type { DeprecatedMember } from './listDeprecations.ts';

/** Route that may be deprecated. */
interface DeprecatedRoute {
  readonly route: { readonly method: string; readonly path: string };
  readonly deprecation: Deprecation | null;
}

/** Returns a Markdown table of deprecated members and routes, in ascending order of their removal. */
export function deprecationTable(
  members: readonly DeprecatedMember[],
  routes: readonly DeprecatedRoute[],
): string {
  const rows = [
    ...members.flatMap(({ coordinate, reason }) => {
      const deprecation = parseDeprecation(reason);
      return deprecation ? [{ name: coordinate, ...deprecation }] : [];
    }),
    ...routes.flatMap(({ route, deprecation }) =>
      deprecation ? [{ name: `${route.method} ${route.path}`, ...deprecation }] : [],
    ),
  ];
  if (rows.length === 0) return 'Nothing is deprecated.';
  return [
    '| Member | Reason | Deprecated on | Removed after |',
    '|---|---|---|---|',
    ...rows
      .map(({ name, reason, since, until }) => ({
        until,
        row: `| \`${name}\` | ${reason} | ${since} | ${until} |`,
      }))
      .sort((a, b) => (a.until < b.until ? -1 : 1))
      .map(({ row }) => row),
  ].join('\n');
}
