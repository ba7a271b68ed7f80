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
 * Returns the schema for validation. It accepts directives for incremental delivery, which has no effect. It shares its
 * types with the other schema; extending that would copy all of them.
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

/** Returns the distinct names of the variables that `@skip` or `@include` use. */
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
 * Returns the document without `@skip`, `@include` and incremental delivery: what they exclude for these values is
 * removed. No later step handles conditions. The planner sometimes fetches what a condition excludes, and graphql-jit
 * sometimes selects it; a plan for each occurring combination of values avoids both. Selection sets may become empty.
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
