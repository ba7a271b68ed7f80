import { type GraphQLSchema, isAbstractType, isInterfaceType } from 'graphql';

/**
 * Runtime type names that match a type condition of a plan. Names are compared on the whole supergraph, including
 * inaccessible types. An interface's own name counts, because a subgraph that declares it as `@interfaceObject` returns
 * it as `__typename`.
 */
export interface TypeConditions {
  /** Returns the condition itself, its possible types and the interfaces that implement it. */
  namesWithin(condition: string): ReadonlySet<string>;
  /** Returns `namesWithin` and every abstract type that contains the condition. */
  namesOverlapping(condition: string): ReadonlySet<string>;
  isObjectType(name: string): boolean;
}

export function createTypeConditions(supergraph: GraphQLSchema): TypeConditions {
  const within = new Map<string, ReadonlySet<string>>();
  const overlapping = new Map<string, ReadonlySet<string>>();
  const abstractNames = Object.values(supergraph.getTypeMap())
    .filter(isAbstractType)
    .map((type) => type.name);

  const namesWithin = (condition: string): ReadonlySet<string> => {
    const known = within.get(condition);
    if (known !== undefined) return known;
    const names = new Set([condition]);
    const type = supergraph.getType(condition);
    if (isAbstractType(type)) {
      for (const possible of supergraph.getPossibleTypes(type)) names.add(possible.name);
      if (isInterfaceType(type)) {
        for (const narrower of supergraph.getImplementations(type).interfaces) names.add(narrower.name);
      }
    }
    within.set(condition, names);
    return names;
  };

  return {
    namesWithin,
    namesOverlapping(condition) {
      const known = overlapping.get(condition);
      if (known !== undefined) return known;
      const names = new Set(namesWithin(condition));
      for (const name of abstractNames) if (namesWithin(name).has(condition)) names.add(name);
      overlapping.set(condition, names);
      return names;
    },
    isObjectType: (name) => {
      const type = supergraph.getType(name);
      return type !== undefined && 'getInterfaces' in type && !isAbstractType(type);
    },
  };
}
