import { type GraphQLSchema, isInterfaceType } from 'graphql';
import { recordDenial, targetOf } from '../audit/recordDenial.ts';
import type { RequestContext } from '../context/RequestContext.ts';
import { notFound } from '../errors/AppError.ts';
import { type IdType, typeOfId } from '../ids/newId.ts';
import type { OwnershipPolicies } from './ownership.ts';
import { type ReadableType, type RecordReaders, readableType, readRecord } from './readRecord.ts';

/**
 * Resolves `node` and `nodes` of a subgraph that defines the interface `Node`. The prefix of an id selects the type, and
 * the guard of the type decides, so no record is shown that its own root field would refuse. Types that do not implement
 * the interface have no nodes.
 *
 * @throws Error that lists the types without guard or reader, and those whose ids have the prefix of another one
 */
export function resolveNodes(
  schema: GraphQLSchema,
  readers: RecordReaders,
  policies: OwnershipPolicies,
): GraphQLSchema {
  const nodeType = schema.getType('Node');
  const { node, nodes } = schema.getQueryType()?.getFields() ?? {};
  if (!isInterfaceType(nodeType) || !node || !nodes) return schema;
  const types = collectTypes(schema, nodeType.name, readers, policies);
  const find = async (id: string, context: RequestContext): Promise<object> => {
    const idType = typeOfId(id);
    const type = idType && types.get(idType);
    const record = type ? await readRecord(type, id, context) : null;
    if (!record) throw notFound('The record');
    return record;
  };
  nodeType.resolveType = ({ _id }: { _id: string }) => types.get(typeOfId(_id) as IdType)?.name;
  node.resolve = (_, { id }: { id: string }, context: RequestContext) => find(id, context);
  nodes.resolve = (_, { ids }: { ids: readonly string[] }, context: RequestContext) =>
    ids.map((id) =>
      find(id, context).catch((error: unknown) => {
        recordDenial(context, 'nodes', error, targetOf(id));
        throw error;
      }),
    );
  return schema;
}

function collectTypes(
  schema: GraphQLSchema,
  name: string,
  readers: RecordReaders,
  policies: OwnershipPolicies,
): ReadonlyMap<IdType, ReadableType> {
  const types = new Map<IdType, ReadableType>();
  const faults: string[] = [];
  const nodeType = schema.getType(name);
  for (const type of isInterfaceType(nodeType) ? schema.getPossibleTypes(nodeType) : []) {
    const found = readableType(type, readers, policies);
    if (typeof found === 'string') faults.push(found);
    else if (types.has(found.reader.idType))
      faults.push(`${type.name} and ${types.get(found.reader.idType)?.name} have the same ids`);
    else types.set(found.reader.idType, found);
  }
  if (faults.length > 0)
    throw new Error(`The subgraph cannot start, because its nodes are incomplete:\n  ${faults.join('\n  ')}`);
  return types;
}
