import type { GraphQLEnumType } from 'graphql';

/** Converts `expiresAt` to `expires_at`, for routes in OAuth's naming. */
export function toSnakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Returns the GraphQL names of an enum by REST value: `in_progress` -> `IN_PROGRESS`. Other names are not accepted. */
export function restValuesOf(type: GraphQLEnumType): Map<string, string> {
  return new Map(type.getValues().map(({ name }) => [name.toLowerCase(), name]));
}
