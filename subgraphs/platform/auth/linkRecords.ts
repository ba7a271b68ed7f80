import {
  defaultFieldResolver,
  type GraphQLField,
  type GraphQLFieldResolver,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isObjectType,
} from 'graphql';
import { type Guard, readGuard } from '../../../schema/guards/readGuard.ts';
import { readRecordLink } from '../../../schema/guards/readRecordLink.ts';
import { recordOperatorUse } from '../audit/recordOperatorUse.ts';
import type { RequestContext } from '../context/RequestContext.ts';
import { AppError } from '../errors/AppError.ts';
import { assertGuard, needsFreshPrincipal } from './checkGuard.ts';
import { isOperatorUse } from './guardField.ts';
import { assertOwnership, type OwnershipPolicies } from './ownership.ts';

/**
 * Reads the parent of a type's resolvers by its id, batched per request; null for an id of another type or installation.
 * It checks no guard.
 */
export type RecordReader = (id: string, context: RequestContext) => Promise<object | null>;

/** Readers by GraphQL type. */
export type RecordReaders = Readonly<Record<string, RecordReader>>;

/** A type whose records can be read by id, with the guard that decides who may. */
interface GuardedType {
  readonly name: string;
  readonly guard: Guard;
  readonly read: RecordReader;
  readonly policies: OwnershipPolicies;
}

/**
 * Adds a resolver to every field with `@guard__record`. The default is to deny: a type without a guard prevents the
 * start. The id is that of the neighbouring member, so an id that the caller may not see leads to no record.
 *
 * @throws Error that lists the fields without such a member, and the types without guard or reader
 */
export function linkRecords(
  schema: GraphQLSchema,
  readers: RecordReaders,
  policies: OwnershipPolicies,
): GraphQLSchema {
  const faults: string[] = [];
  for (const type of Object.values(schema.getTypeMap()).filter(isObjectType)) {
    for (const field of Object.values(type.getFields())) {
      const idMember = readRecordLink(field);
      if (idMember === null) continue;
      const target = findTarget(field, readers, policies);
      const ids = type.getFields()[idMember];
      if (!ids) faults.push(`${type.name}.${field.name}: there is no member ${idMember}`);
      if (typeof target === 'string') faults.push(`${type.name}.${field.name}: ${target}`);
      else if (ids) field.resolve = resolverOf(ids, target);
    }
  }
  if (faults.length > 0)
    throw new Error(`The subgraph cannot start, because its links are incomplete:\n  ${faults.join('\n  ')}`);
  return schema;
}

/** Returns the type of the records, or what it lacks. */
function findTarget(
  field: GraphQLField<unknown, unknown>,
  readers: RecordReaders,
  policies: OwnershipPolicies,
): GuardedType | string {
  const type = getNamedType(field.type) as GraphQLObjectType;
  const [guard, read] = [readGuard(type), readers[type.name]];
  if (!guard) return `type ${type.name} states no guard`;
  if (!read) return `no resource reads ${type.name} by id`;
  return { name: type.name, guard, read, policies };
}

function resolverOf(
  ids: GraphQLField<unknown, RequestContext>,
  target: GuardedType,
): GraphQLFieldResolver<unknown, RequestContext> {
  return async (source, args, context, info) => {
    const resolve = ids.resolve ?? defaultFieldResolver;
    const id = await resolve(source, args, context, { ...info, fieldName: ids.name });
    if (!Array.isArray(id)) return typeof id === 'string' ? readIfAllowed(target, id, context) : null;
    const records = await Promise.all(id.map((each) => readIfAllowed(target, String(each), context)));
    return records.filter((record) => record !== null);
  };
}

/** Returns a record; null if there is none, or the guard of its type refuses the caller. */
async function readIfAllowed(
  { name, guard, read, policies }: GuardedType,
  id: string,
  context: RequestContext,
): Promise<object | null> {
  try {
    const identity = await context.identify(needsFreshPrincipal(guard));
    assertGuard(guard, identity, context);
    const record = await read(id, context);
    if (record === null) return null;
    await assertOwnership(guard, record, context, policies);
    if (isOperatorUse(guard, identity)) await recordOperatorUse(context, name);
    return record;
  } catch (error) {
    if (error instanceof AppError && [401, 403, 404].includes(error.status)) return null;
    throw error;
  }
}
