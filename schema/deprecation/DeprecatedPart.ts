import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type Deprecation, parseDeprecation } from './Deprecation.ts';
import type { DeprecatedMember } from './listDeprecations.ts';

/** A deprecated part of the public contract. */
export interface DeprecatedPart extends Deprecation {
  /** Schema coordinate as in `Listing.price`, or method and path of a REST route. */
  readonly name: string;
}

/** Route that may be deprecated. */
interface DeprecatedRoute {
  readonly route: { readonly method: string; readonly path: string };
  readonly deprecation: Deprecation | null;
}

/** Returns the deprecated members and routes, in ascending order of their removal. */
export function toDeprecatedParts(
  members: readonly DeprecatedMember[],
  routes: readonly DeprecatedRoute[],
): DeprecatedPart[] {
  return [
    ...members.flatMap(({ coordinate, reason }) => {
      const deprecation = parseDeprecation(reason);
      return deprecation ? [{ name: coordinate, ...deprecation }] : [];
    }),
    ...routes.flatMap(({ route, deprecation }) =>
      deprecation ? [{ name: `${route.method} ${route.path}`, ...deprecation }] : [],
    ),
  ].sort((a, b) => (a.until < b.until ? -1 : 1));
}

/** Reads the deprecated parts of this release. */
export function readDeprecatedParts(): DeprecatedPart[] {
  const file = path.join(import.meta.dirname, '../deprecations.json');
  return JSON.parse(readFileSync(file, 'utf8')) as DeprecatedPart[];
}
