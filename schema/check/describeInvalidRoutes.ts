import path from 'node:path';
import { GraphQLError, type GraphQLSchema } from 'graphql';
import { type Change, toChange } from '../../packages/schema-check/src/Change.ts';
import type { SourceDocument } from '../../packages/schema-check/src/Contract.ts';
import { findInvalid } from '../../packages/schema-check/src/documents/findInvalid.ts';
import { joinFragments } from '../../packages/schema-check/src/documents/joinFragments.ts';
import type { RouteFinding } from '../route/Route.ts';
import { stripRouteDirectives } from '../route/routeDirectives.ts';
import { routesFolder } from './Contract.ts';

/**
 * Returns the findings about REST documents as changes. An error that the schema causes is located at its line; in a
 * fragment that several documents share, it is one change.
 *
 * @param documents files of the documents and of the fragments in their folders
 */
export function describeInvalidRoutes(
  findings: readonly RouteFinding[],
  documents: readonly SourceDocument[],
  api: GraphQLSchema,
): Change[] {
  const broken = new Map(findings.map((finding) => [`${routesFolder}/${finding.file}`, finding]));
  const folders = Object.values(Object.groupBy(documents, ({ file }) => path.posix.dirname(file)));
  const located = folders.flatMap((folder = []) =>
    joinFragments(folder)
      .filter(({ source }) => broken.has(source.file))
      .map(({ source, document }) => ({
        source,
        document: document instanceof GraphQLError ? document : stripRouteDirectives(document),
      })),
  );
  const withErrors = new Set(
    located.filter((joined) => findInvalid([joined], api).length > 0).map(({ source }) => source.file),
  );
  const others = [...broken]
    .filter(([file]) => !withErrors.has(file))
    .map(([, finding]) => toInvalidDocument(finding));
  return [...findInvalid(located, api), ...others];
}

/** Returns a finding about a REST document as a change. */
export function toInvalidDocument({ file, message }: RouteFinding): Change {
  return toChange('document-invalid', `${routesFolder}/${file}`, message);
}
