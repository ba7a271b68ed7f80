import { type GraphQLSchema, isEnumType, isInputObjectType, isInterfaceType, isObjectType } from 'graphql';

/** A deprecated member of the public schema. */
export interface DeprecatedMember {
  /** Schema coordinate: `Listing.price`, `Query.listing(id:)`, `ListingState.SOLD`. */
  readonly coordinate: string;
  /** Text of `@deprecated`. */
  readonly reason: string;
}

interface Member {
  readonly name: string;
  readonly deprecationReason?: string | null | undefined;
}

/** Lists all deprecated members of a schema. */
export function listDeprecations(schema: GraphQLSchema): DeprecatedMember[] {
  const found: DeprecatedMember[] = [];
  const add = (coordinate: string, { deprecationReason }: Member) => {
    if (deprecationReason) found.push({ coordinate, reason: deprecationReason });
  };
  for (const type of Object.values(schema.getTypeMap())) {
    if (type.name.startsWith('__')) continue;
    if (isEnumType(type)) for (const value of type.getValues()) add(`${type.name}.${value.name}`, value);
    if (isInputObjectType(type))
      for (const member of Object.values(type.getFields())) add(`${type.name}.${member.name}`, member);
    if (!isObjectType(type) && !isInterfaceType(type)) continue;
    for (const field of Object.values(type.getFields())) {
      add(`${type.name}.${field.name}`, field);
      for (const argument of field.args) add(`${type.name}.${field.name}(${argument.name}:)`, argument);
    }
  }
  return found;
}
