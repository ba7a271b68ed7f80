import { type ConstDirectiveNode, type GraphQLObjectType, print, valueFromASTUntyped } from 'graphql';
import type { Field, GuardDifference, GuardLanguage } from './GuardLanguage.ts';

/** Directives of a schema that are guards. */
export interface GuardDirectives {
  /** Names without `@`. Each directive is a demand that callers must meet. */
  readonly directives: readonly string[];
  /** Name of the directive that admits every caller; null if there is none. */
  readonly public: string | null;
  /** Whether every root field must have one of them. */
  readonly required: boolean;
}

/** The directives of the federation specification that refuse callers. */
export const federationGuards: GuardDirectives = {
  directives: ['authenticated', 'requiresScopes', 'policy'],
  public: null,
  required: false,
};

/** A guard: the directives that state it, in no order. */
export type Directives = readonly ConstDirectiveNode[];

/**
 * Reads guards by the names of directives. `@requiresScopes` and `@policy` are compared by their meaning: a list of
 * alternatives, each of which requires all of its scopes. Any other directive that differs counts as both stricter and
 * looser, because only its implementation defines which.
 */
export function directiveGuards(names: GuardDirectives): GuardLanguage<Directives> {
  const relevant = new Set([...names.directives, ...(names.public === null ? [] : [names.public])]);
  const isPublic = (guard: Directives) => guard.some(({ name }) => name.value === names.public);
  return {
    isRequired: names.required,
    read(element) {
      const found = directivesOf(element).filter(({ name }) => relevant.has(name.value));
      return found.length > 0 ? found : null;
    },
    isPublic,
    compare: (before, after): GuardDifference => ({
      added: unmet(after ?? [], before ?? [], isPublic),
      dropped: unmet(before ?? [], after ?? [], isPublic),
    }),
    describe: (guard) => guard.map((directive) => print(directive)).join(' '),
  };
}

function directivesOf(element: Field | GraphQLObjectType): ConstDirectiveNode[] {
  const extensions = 'extensionASTNodes' in element ? element.extensionASTNodes : [];
  return [element.astNode, ...extensions].flatMap((node) => [...(node?.directives ?? [])]);
}

/** Returns the conditions of a guard that a caller who passes the other guard need not meet. */
function unmet(demanding: Directives, other: Directives, isPublic: (guard: Directives) => boolean): string[] {
  if (isPublic(demanding)) return [];
  const passed = isPublic(other) ? [] : other;
  return demanding
    .filter((demand) => !passed.some((directive) => implies(directive, demand)))
    .map((demand) => print(demand));
}

/** Returns whether every caller that meets one directive meets the other. */
function implies(met: ConstDirectiveNode, demanded: ConstDirectiveNode): boolean {
  const isScoped = ['requiresScopes', 'policy'].includes(met.name.value);
  // A caller with scopes is authenticated.
  if (demanded.name.value === 'authenticated' && isScoped) return true;
  if (met.name.value !== demanded.name.value) return false;
  if (!isScoped) return withoutOrder(met) === withoutOrder(demanded);
  const wanted = alternativesOf(demanded);
  return alternativesOf(met).every((held) =>
    wanted.some((scopes) => scopes.every((scope) => held.includes(scope))),
  );
}

function withoutOrder({ arguments: values = [] }: ConstDirectiveNode): string {
  return values
    .map((argument) => print(argument))
    .sort()
    .join();
}

function alternativesOf({ arguments: [list] = [] }: ConstDirectiveNode): string[][] {
  return list ? (valueFromASTUntyped(list.value) as string[][]) : [];
}
