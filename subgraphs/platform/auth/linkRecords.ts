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
import { forgetRecords } from '../context/recordLoader.ts';
import type { OwnershipPolicies } from './ownership.ts';
import { type ReadableType, type RecordReaders, readableType, readIfAllowed } from './readRecord.ts';

/**
 * Adds a resolver to every field with `@guard__record`. The default is to deny: a type without a guard prevents the
 * start. The id is that of the neighbouring member, so an id that the caller may not see leads to no record. Links from
 * the result of a mutation lead to the stored records, not to those that it read before it changed them.
 *
 * @throws Error that lists the fields without such a member, and the types without guard or reader
 */
export function linkRecords(
  schema: GraphQLSchema,
  readers: RecordReaders,
  policies: OwnershipPolicies,
): GraphQLSchema {
  const faults: string[] = [];
  let links = 0;
  for (const type of Object.values(schema.getTypeMap()).filter(isObjectType)) {
    for (const field of Object.values(type.getFields())) {
      const idMember = readRecordLink(field);
      if (idMember === null) continue;
      links += 1;
      const target = readableType(getNamedType(field.type), readers, policies);
      const ids = type.getFields()[idMember];
      if (!ids) faults.push(`${type.name}.${field.name}: there is no member ${idMember}`);
      if (typeof target === 'string') faults.push(`${type.name}.${field.name}: ${target}`);
      else if (ids) field.resolve = resolverOf(ids, target);
    }
  }
  if (faults.length > 0)
    throw new Error(`The subgraph cannot start, because its links are incomplete:\n  ${faults.join('\n  ')}`);
  if (links > 0)
    for (const field of Object.values(schema.getMutationType()?.getFields() ?? {})) forgetAfter(field);
  return schema;
}

/** Lets a mutation forget the records that it has read. */
function forgetAfter(field: GraphQLField<unknown, RequestContext>): void {
  const resolve = field.resolve ?? defaultFieldResolver;
  field.resolve = async (source, args, context, info) => {
    const result = await resolve(source, args, context, info);
    forgetRecords(context);
    return result;
  };
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
