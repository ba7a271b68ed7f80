import { type DirectiveNode, type DocumentNode, Kind, visit } from 'graphql';
import type { Variables } from '../transport/Transport.ts';

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
 * The document without `@skip` and `@include`: what they exclude for these values is gone. Nothing after this
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
    Directive: (node) => (conditionOf(node) === null ? undefined : null),
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
