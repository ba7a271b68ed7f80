import { type ConstDirectiveNode, valueFromASTUntyped } from 'graphql';

/**
 * Prefix of the directives of `schema/directives.graphql`. Composers give a meaning to some names without a prefix, such
 * as `@authenticated`, and routers then enforce it in their own way.
 */
export const guardPrefix = 'guard__';

/** A directive of `schema/directives.graphql`, as stated at a definition. */
export interface GuardDirective {
  /** Name without the prefix. */
  readonly name: string;
  /** Stated arguments. */
  readonly values: Readonly<Record<string, unknown>>;
}

/** Definition with directives: a field, type or input member. */
interface Definition {
  readonly directives?: readonly ConstDirectiveNode[] | undefined;
}

/** Returns the directives with the prefix, in a subgraph's schema and in the supergraph. */
export function guardDirectives(definition: Definition | null | undefined): GuardDirective[] {
  return (definition?.directives ?? [])
    .filter(({ name }) => name.value.startsWith(guardPrefix))
    .map(({ name, arguments: stated = [] }) => ({
      name: name.value.slice(guardPrefix.length),
      values: Object.fromEntries(stated.map((each) => [each.name.value, valueFromASTUntyped(each.value)])),
    }));
}
