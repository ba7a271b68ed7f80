import {
  type DocumentNode,
  type FragmentDefinitionNode,
  GraphQLError,
  Kind,
  type OperationDefinitionNode,
  parse,
  Source,
  visit,
} from 'graphql';
import type { SourceDocument } from '../Contract.ts';

/** Operations of a file with the fragments that they spread, or the syntax error of the file. */
export interface JoinedDocument {
  readonly source: SourceDocument;
  readonly document: DocumentNode | GraphQLError;
}

/**
 * Parses documents of operations. A fragment that a document spreads and does not define is taken from another file. A
 * file that contains only fragments has no entry of its own.
 */
export function joinFragments(sources: readonly SourceDocument[]): JoinedDocument[] {
  const parsed = sources.map((source) => ({ source, document: parseDocument(source) }));
  const shared = new Map<string, FragmentDefinitionNode>();
  for (const { document } of parsed)
    for (const fragment of fragmentsIn(document)) shared.set(fragment.name.value, fragment);
  return parsed
    .filter(({ document }) => document instanceof GraphQLError || operationsIn(document).length > 0)
    .map(({ source, document }) => ({
      source,
      document: document instanceof GraphQLError ? document : withFragments(document, shared),
    }));
}

/** Returns the operations of a document. */
export function operationsIn(document: DocumentNode): OperationDefinitionNode[] {
  return document.definitions.filter((definition) => definition.kind === Kind.OPERATION_DEFINITION);
}

function parseDocument({ file, text }: SourceDocument): DocumentNode | GraphQLError {
  try {
    return parse(new Source(text, file));
  } catch (error) {
    if (error instanceof GraphQLError) return error;
    throw error;
  }
}

function fragmentsIn(document: DocumentNode | GraphQLError): FragmentDefinitionNode[] {
  if (document instanceof GraphQLError) return [];
  return document.definitions.filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION);
}

function withFragments(
  document: DocumentNode,
  shared: ReadonlyMap<string, FragmentDefinitionNode>,
): DocumentNode {
  const definitions = [...document.definitions];
  const known = new Set(fragmentsIn(document).map(({ name }) => name.value));
  for (let index = 0; index < definitions.length; index++) {
    visit(definitions[index] as DocumentNode['definitions'][number], {
      [Kind.FRAGMENT_SPREAD]({ name }) {
        const fragment = shared.get(name.value);
        if (known.has(name.value) || fragment === undefined) return;
        known.add(name.value);
        definitions.push(fragment);
      },
    });
  }
  return { ...document, definitions };
}
