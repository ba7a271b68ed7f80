import { type GraphQLEnumType, type GraphQLInputType, isEnumType, isInputObjectType } from 'graphql';

/** Converts `expiresAt` to `expires_at`, for routes in OAuth's naming. */
export function toSnakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/**
 * Returns the GraphQL names of an enum by REST value: `in_progress` -> `IN_PROGRESS`, and for an order `-createdAt` ->
 * `CREATED_AT_DESC`. Other names are not accepted.
 */
export function restValuesOf(type: GraphQLEnumType): Map<string, string> {
  const toRest = isOrder(type) ? toOrder : (name: string) => name.toLowerCase();
  return new Map(type.getValues().map(({ name }) => [toRest(name), name]));
}

/** Returns whether a type is an enum of orders: its name ends in `Sort`. */
export function isOrder(type: GraphQLInputType): boolean {
  return isEnumType(type) && type.name.endsWith('Sort');
}

/** Converts `CREATED_AT_DESC` to `-createdAt`, `CREATED_AT_ASC` to `createdAt`, and `RELEVANCE` to `relevance`. */
function toOrder(name: string): string {
  const [, key = name, direction] = /^(.+)_(ASC|DESC)$/.exec(name) ?? [];
  const camel = key.toLowerCase().replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return direction === 'DESC' ? `-${camel}` : camel;
}

/** Input types that REST writes as the list of their members in this order: `52.53,13.39`, in bodies `[52.53, 13.39]`. */
const listInputs: Readonly<Record<string, readonly string[]>> = {
  CatalogPointInput: ['lat', 'lng'],
  CatalogBoundsInput: ['south', 'west', 'north', 'east'],
};

/** Returns the members of an input of numbers that REST writes as a list; undefined for other types. */
export function listedMembers(type: GraphQLInputType): readonly string[] | undefined {
  return isInputObjectType(type) ? listInputs[type.name] : undefined;
}
