import { documentKinds } from './documentKinds.ts';
import { graphKinds } from './graphKinds.ts';
import { guardKinds } from './guardKinds.ts';
import { restKinds } from './restKinds.ts';
import type { KindMeaning } from './Severity.ts';
import { schemaKinds } from './schemaKinds.ts';

/** Kinds of changes by area; an area is a folder of pages. */
export const ruleAreas: readonly {
  readonly folder: string;
  readonly title: string;
  readonly kinds: Readonly<Record<string, KindMeaning>>;
}[] = [
  { folder: 'project', title: 'The project itself', kinds: documentKinds },
  { folder: 'graphql', title: 'GraphQL schema', kinds: graphKinds },
  { folder: 'guards', title: 'Guards', kinds: guardKinds },
  { folder: 'routes', title: 'Routes', kinds: restKinds },
  { folder: 'json', title: 'JSON of requests and responses', kinds: schemaKinds },
];

/**
 * Returns the page of a rule, relative to the package.
 *
 * @param kind name of the kind
 */
export function pageFileOf(kind: string): string {
  const area = ruleAreas.find(({ kinds }) => Object.hasOwn(kinds, kind));
  const meaning = area?.kinds[kind];
  if (!area || !meaning) throw new Error(`there is no rule ${kind}`);
  return `docs/rules/${area.folder}/${meaning.severity}/${kind}.md`;
}
