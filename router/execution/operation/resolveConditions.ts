import { buildSchema, type DirectiveNode, type DocumentNode, GraphQLSchema, Kind, visit } from 'graphql';
import type { Variables } from '../../transport/Transport.ts';

/** Incremental delivery is optional for a server: deferred fragments are part of the single response. */
const incremental = new Set(['defer', 'stream']);
const incrementalDirectives = buildSchema(
  `
  directive @defer(if: Boolean! = true, label: String) on FRAGMENT_SPREAD | INLINE_FRAGMENT
  directive @stream(if: Boolean! = true, label: String, initialCount: Int! = 0) on FIELD
  `,
)
  .getDirectives()
  .filter(({ name }) => incremental.has(name));

/**
 * The schema that operations are validated against: they may ask for incremental delivery, and get it whole. It has the
 * types of the other one; to extend that would copy them all.
 */
export function withIncrementalDirectives(schema: GraphQLSchema): GraphQLSchema {
  const missing = incrementalDirectives.filter(({ name }) => schema.getDirective(name) == null);
  if (missing.length === 0) return schema;
  return new GraphQLSchema({
    ...schema.toConfig(),
    directives: [...schema.getDirectives(), ...missing],
    assumeValid: true,
  });
}

/** Names of the variables that decide over a `@skip` or `@include`, each once. */
export function conditionVariablesOf(document: DocumentNode): readonly string[] {
  const names = new Set<string>();
  visit(document, {
    Directive(node) {
      const value = conditionOf(node)?.value;
      if (value?.kind === Kind.VARIABLE) names.add(value.name.value);
    },
  });
  return [...names];
}

/**
 * The document without `@skip`, `@include` and incremental delivery: what they exclude for these values is gone. Nothing after this
 * step knows conditions. (The planner sometimes fetches what a condition excludes, graphql-jit sometimes selects
 * it; one plan per combination of values that really occurs has neither fault.) Selection sets may become empty.
 */
export function resolveConditions(document: DocumentNode, values: Variables): DocumentNode {
  const drop = (node: { readonly directives?: readonly DirectiveNode[] | undefined }) =>
    node.directives?.every((directive) => includes(directive, values)) === false ? null : undefined;
  return visit(document, {
    Field: drop,
    InlineFragment: drop,
    FragmentSpread: drop,
    Directive: (node) => (conditionOf(node) === null && !incremental.has(node.name.value) ? undefined : null),
  });
}

function includes(directive: DirectiveNode, values: Variables): boolean {
  const condition = conditionOf(directive);
  if (condition === null) return true;
  const { value, wanted } = condition;
  if (value.kind === Kind.BOOLEAN) return value.value === wanted;
  return value.kind === Kind.VARIABLE ? (values[value.name.value] === true) === wanted : true;
}

function conditionOf(directive: DirectiveNode) {
  const name = directive.name.value;
  if (name !== 'skip' && name !== 'include') return null;
  const value = directive.arguments?.find((argument) => argument.name.value === 'if')?.value;
  return value === undefined ? null : { value, wanted: name === 'include' };
}
