import {
  defaultFieldResolver,
  type GraphQLField,
  type GraphQLFieldResolver,
  type GraphQLSchema,
  getNamedType,
  isObjectType,
} from 'graphql';
import { readRecordLink } from '../../../schema/guards/readRecordLink.ts';
import type { RequestContext } from '../context/RequestContext.ts';
import type { OwnershipPolicies } from './ownership.ts';
import { type ReadableType, type RecordReaders, readableType, readIfAllowed } from './readRecord.ts';

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
      const target = readableType(getNamedType(field.type), readers, policies);
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

function resolverOf(
  ids: GraphQLField<unknown, RequestContext>,
  target: ReadableType,
): GraphQLFieldResolver<unknown, RequestContext> {
  return async (source, args, context, info) => {
    const resolve = ids.resolve ?? defaultFieldResolver;
    const id = await resolve(source, args, context, { ...info, fieldName: ids.name });
    if (!Array.isArray(id)) return typeof id === 'string' ? readIfAllowed(target, id, context) : null;
    const records = await Promise.all(id.map((each) => readIfAllowed(target, String(each), context)));
    return records.filter((record) => record !== null);
  };
}
