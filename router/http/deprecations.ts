import type { ExecutionResult, GraphQLSchema } from 'graphql';
import { parseDeprecation } from '../../schema/deprecation/Deprecation.ts';
import { listDeprecations } from '../../schema/deprecation/listDeprecations.ts';
import type { Prepared } from '../execution/Engine.ts';
import { describeOperation } from '../usage/describeOperation.ts';

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
export function withDeprecations<R extends Pick<ExecutionResult, 'extensions'>>(
  result: R,
  prepared: Prepared,
  apiSchema: GraphQLSchema,
): R & Pick<ExecutionResult, 'extensions'> {
  const deprecations = known.get(prepared) ?? describe(prepared, apiSchema);
  known.set(prepared, deprecations);
  return { ...result, extensions: { ...result.extensions, deprecations } };
}

/** Values of variables are unknown, so members and enum values in them are not found. */
function describe(prepared: Prepared, apiSchema: GraphQLSchema): UsedDeprecation[] {
  const used = new Set(describeOperation(prepared, apiSchema).coordinates);
  return listDeprecations(apiSchema).flatMap(({ coordinate, reason: text }) => {
    if (!used.has(coordinate)) return [];
    const deprecation = parseDeprecation(text);
    if (deprecation === null) return [];
    const { reason, since, until } = deprecation;
    return [{ coordinate, reason, deprecatedOn: since, removedAfter: until }];
  });
}
