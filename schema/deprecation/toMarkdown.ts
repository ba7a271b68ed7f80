import type { RouteBinding } from '../route/RouteBinding.ts';
import { type Deprecation, parseDeprecation } from './Deprecation.ts';
import type { DeprecatedMember } from './listDeprecations.ts';

const introduction = `# Deprecations

Members of the contract that will be removed, in ascending order of their removal. This page is generated.

- REST: responses of a deprecated route have the headers \`Deprecation\` (RFC 9745), \`Sunset\` (RFC 8594) and
  \`Link: <…>; rel="deprecation"\`. The OpenAPI document marks routes, parameters and members as \`deprecated\`.
- GraphQL: the introspection contains the reason and both days. A request with \`"extensions": {"deprecations": true}\`
  gets the deprecated members that its operation uses in \`extensions.deprecations\` of the response.
- \`npm run schema:check\` refuses the removal of a deprecated member before its last day.
`;

/** Returns the page of all deprecated members and routes, \`docs/reference/deprecations.md\`. */
export function toMarkdown(members: readonly DeprecatedMember[], bindings: readonly RouteBinding[]): string {
  const rows = [
    ...members.flatMap(({ coordinate, reason }) => {
      const deprecation = parseDeprecation(reason);
      return deprecation ? [{ name: coordinate, ...deprecation }] : [];
    }),
    ...bindings.flatMap(({ route, deprecation }) =>
      deprecation ? [{ name: `${route.method} ${route.path}`, ...deprecation }] : [],
    ),
  ].sort((a, b) => (a.until === b.until ? Number(a.name > b.name) : Number(a.until > b.until) * 2 - 1));
  return `${introduction}\n${rows.length === 0 ? 'Nothing is deprecated.' : toTable(rows)}\n`;
}

function toTable(rows: readonly (Deprecation & { readonly name: string })[]): string {
  return [
    '| Member | Reason | Deprecated on | Removed after |',
    '|---|---|---|---|',
    ...rows.map(({ name, reason, since, until }) => `| \`${name}\` | ${reason} | ${since} | ${until} |`),
  ].join('\n');
}
