import type { RouteBinding } from '../../../schema/route/RouteBinding.ts';

const dayMs = 24 * 60 * 60 * 1000;

/**
 * Returns the headers of all responses of a deprecated route: since when it is deprecated (RFC 9745), when it is removed
 * (RFC 8594), and the page that lists all deprecations. None for other routes.
 */
export function deprecationHeaders({ deprecation }: Pick<RouteBinding, 'deprecation'>): [string, string][] {
  if (deprecation === null) return [];
  const removedAt = new Date(Date.parse(deprecation.until) + dayMs);
  return [
    ['Deprecation', `@${Date.parse(deprecation.since) / 1000}`],
    ['Sunset', removedAt.toUTCString()],
    ['Link', '</docs/changelog#deprecations>; rel="deprecation"; type="text/html"'],
  ];
}
