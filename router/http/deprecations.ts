import type { ExecutionResult, GraphQLSchema } from 'graphql';
import { parseDeprecation } from '../../schema/deprecation/Deprecation.ts';
import { findUsedDeprecations } from '../../schema/deprecation/findUsedDeprecations.ts';
import type { Prepared } from '../execution/Engine.ts';

/** A deprecated member that an operation uses, as in `extensions.deprecations` of a response. */
interface UsedDeprecation {
  readonly coordinate: string;
  readonly reason: string;
  readonly deprecatedOn: string;
  readonly removedAfter: string;
}

const known = new WeakMap<Prepared, readonly UsedDeprecation[]>();

/** Returns whether a request asks for the deprecated members of its operation: `"extensions": {"deprecations": true}`. */
export function wantsDeprecations(extensions: Readonly<Record<string, unknown>> | null | undefined): boolean {
  return extensions?.deprecations === true;
}

/** Adds the deprecated members that the operation uses to a response. They are found once for each operation. */
export function withDeprecations(
  result: ExecutionResult,
  prepared: Prepared,
  apiSchema: GraphQLSchema,
): ExecutionResult {
  const deprecations = known.get(prepared) ?? describe(prepared, apiSchema);
  known.set(prepared, deprecations);
  return { ...result, extensions: { ...result.extensions, deprecations } };
}

function describe({ document }: Prepared, apiSchema: GraphQLSchema): UsedDeprecation[] {
  return findUsedDeprecations(apiSchema, document).flatMap(({ coordinate, reason: text }) => {
    const deprecation = parseDeprecation(text);
    if (deprecation === null) return [];
    const { reason, since, until } = deprecation;
    return [{ coordinate, reason, deprecatedOn: since, removedAfter: until }];
  });
}
