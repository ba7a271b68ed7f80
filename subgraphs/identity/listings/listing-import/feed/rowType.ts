import { readFileSync } from 'node:fs';
import { buildSchema, type GraphQLInputField, type GraphQLInputObjectType } from 'graphql';
import { mapEnums } from '../../../../platform/subgraph/mapEnums.ts';

/** Members of the mutation's input that identify the listing and are not content. */
const elsewhere = new Set(['dealerId', 'expectedVersion']);

let read: GraphQLInputObjectType | undefined;

/**
 * Returns the members of a row: the input of `upsertInventoryListing`. They are read from the schema, so that a feed
 * and a single request accept the same input.
 */
export function rowType(): GraphQLInputObjectType {
  if (!read) {
    const sdl = readFileSync(new URL('../../../../../schema/api.graphql', import.meta.url), 'utf8');
    const schema = mapEnums(buildSchema(sdl, { assumeValidSDL: true }));
    read = schema.getType('UpsertInventoryListingInput') as GraphQLInputObjectType;
  }
  return read;
}

/** Returns the fields of a row. */
export function rowMembers(): GraphQLInputField[] {
  return Object.values(rowType().getFields()).filter(({ name }) => !elsewhere.has(name));
}
