import {
  buildASTSchema,
  type ConstDirectiveNode,
  type DefinitionNode,
  type DirectiveDefinitionNode,
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  Kind,
  type NamedTypeNode,
  validateSchema,
  visit,
} from 'graphql';

const machineryName = /^(?:link|join|core|federation)__/;
const publicDirectives = new Set(['deprecated', 'specifiedBy', 'oneOf']);
const executableLocations = new Set([
  'QUERY',
  'MUTATION',
  'SUBSCRIPTION',
  'FIELD',
  'FRAGMENT_DEFINITION',
  'FRAGMENT_SPREAD',
  'INLINE_FRAGMENT',
  'VARIABLE_DEFINITION',
]);

/**
 * Returns the schema for clients: the supergraph without federation directives, without everything `@inaccessible`, and
 * without the directives that only servers use (guards, limits) and their types. Scalars are the identity, so values
 * pass as the subgraphs serialized them.
 *
 * @throws GraphQLError if nothing valid remains
 */
export function toApiSchema(supergraph: DocumentNode): GraphQLSchema {
  const inaccessible = findInaccessibleName(supergraph);
  const hidden = (node: { readonly directives?: readonly ConstDirectiveNode[] | undefined }) =>
    node.directives?.some((directive) => directive.name.value === inaccessible) ?? false;
  const isHidden = (node: { readonly kind: string }) => hidden(node as never);

  const removed = new Set<string>();
  for (const definition of supergraph.definitions) {
    if ('name' in definition && definition.name !== undefined && isTypeDefinition(definition)) {
      if (isHidden(definition) || machineryName.test(definition.name.value))
        removed.add(definition.name.value);
    }
  }
  const dropHidden = (node: { readonly kind: string }) => (isHidden(node) ? null : undefined);
  const kept = visit(
    { ...supergraph, definitions: supergraph.definitions.filter((node) => !isRemoved(node, removed)) },
    {
      FieldDefinition: dropHidden,
      InputValueDefinition: dropHidden,
      EnumValueDefinition: dropHidden,
      Directive: (node) => (publicDirectives.has(node.name.value) ? undefined : null),
      NamedType: (node, _key, parent) =>
        Array.isArray(parent) && removed.has(node.name.value) ? null : undefined,
    },
  );
  const schema = buildASTSchema(withoutDirectiveOnlyTypes(kept, supergraph), { assumeValidSDL: true });
  const problems = validateSchema(schema);
  if (problems.length > 0) {
    throw new GraphQLError(`The supergraph has no valid API schema: ${problems[0]?.message ?? ''}`);
  }
  return schema;
}

function isTypeDefinition(node: DefinitionNode): boolean {
  return node.kind.endsWith('TypeDefinition');
}

function isRemoved(node: DefinitionNode, removedTypes: ReadonlySet<string>): boolean {
  if (node.kind === Kind.DIRECTIVE_DEFINITION) return !isExecutable(node);
  return isTypeDefinition(node) && 'name' in node && removedTypes.has(node.name?.value ?? '');
}

function isExecutable(node: DirectiveDefinitionNode): boolean {
  return node.locations.some((location) => executableLocations.has(location.value));
}

/**
 * Removes types that only directives use. Enums of guard directives would otherwise reveal the vocabulary of the
 * guards.
 */
function withoutDirectiveOnlyTypes(kept: DocumentNode, supergraph: DocumentNode): DocumentNode {
  const usedByDirectives = new Set<string>();
  for (const definition of supergraph.definitions) {
    if (definition.kind === Kind.DIRECTIVE_DEFINITION && !isExecutable(definition)) {
      for (const name of namedTypes(definition)) usedByDirectives.add(name);
    }
  }
  const usedByTypes = namedTypes(kept);
  return {
    ...kept,
    definitions: kept.definitions.filter(
      (node) =>
        (node.kind !== Kind.ENUM_TYPE_DEFINITION && node.kind !== Kind.INPUT_OBJECT_TYPE_DEFINITION) ||
        !usedByDirectives.has(node.name.value) ||
        usedByTypes.has(node.name.value),
    ),
  };
}

function namedTypes(node: DocumentNode | DefinitionNode): Set<string> {
  const names = new Set<string>();
  visit(node, {
    NamedType(type: NamedTypeNode) {
      names.add(type.name.value);
    },
  });
  return names;
}

/** Returns the name of the directive, which `@link(url: ".../inaccessible/v0.2", as: "hidden")` can rename. */
function findInaccessibleName(supergraph: DocumentNode): string {
  for (const definition of supergraph.definitions) {
    if (definition.kind !== Kind.SCHEMA_DEFINITION && definition.kind !== Kind.SCHEMA_EXTENSION) continue;
    for (const link of definition.directives ?? []) {
      const argument = (name: string) => {
        const value = link.arguments?.find((node) => node.name.value === name)?.value;
        return value?.kind === Kind.STRING ? value.value : undefined;
      };
      const url = argument('url') ?? argument('feature');
      if (url !== undefined && /\/inaccessible\/v[\d.]+$/.test(url)) return argument('as') ?? 'inaccessible';
    }
  }
  return 'inaccessible';
}
