import { type GraphQLObjectType, getNamedType, isObjectType, isRequiredArgument } from 'graphql';
import { readRecordLink } from '../../../schema/guards/readRecordLink.ts';
import { supergraph } from '../matrix/supergraph.ts';

/** Levels of objects below a root field. */
const levels = 4;

/** A link in an answer: the id, and whether its record was returned. */
export interface SeenLink {
  /** As in `Payment.listing`. */
  readonly link: string;
  /** Type of the record. */
  readonly type: string;
  readonly id: string;
  readonly isShown: boolean;
}

/** Selects every link below a type, with its id. Empty if there is none. */
export function selectLinks(type: GraphQLObjectType, left = levels): string {
  const parts = fieldsOf(type).flatMap(({ name, inner, idMember }) => {
    if (idMember !== null) return [`${idMember} ${name} { ${keyOf(inner)} }`];
    const below = left === 0 ? '' : selectLinks(inner, left - 1);
    return below === '' ? [] : [`${name} { ${below} }`];
  });
  return parts.join(' ');
}

/** Every link of the supergraph: its name, and the type of its records. */
export function allLinks(): Pick<SeenLink, 'link' | 'type'>[] {
  return Object.values(supergraph.getTypeMap())
    .filter(isObjectType)
    .flatMap((type) =>
      Object.values(type.getFields())
        .filter((field) => readRecordLink(field) !== null)
        .map((field) => ({ link: `${type.name}.${field.name}`, type: getNamedType(field.type).name })),
    );
}

/** Finds the links in the value of a selected object. */
export function seenLinks(type: GraphQLObjectType, value: any): SeenLink[] {
  if (Array.isArray(value)) return value.flatMap((each) => seenLinks(type, each));
  if (value === null || value === undefined) return [];
  return fieldsOf(type).flatMap(({ name, inner, idMember }): SeenLink[] => {
    if (!(name in value)) return [];
    if (idMember === null) return seenLinks(inner, value[name]);
    const shown = new Set([value[name]].flat().map((record) => record?.[keyOf(inner)]));
    return [value[idMember]]
      .flat()
      .filter((id) => typeof id === 'string')
      .map((id) => ({ link: `${type.name}.${name}`, type: inner.name, id, isShown: shown.has(id) }));
  });
}

/** Members that are objects and need no argument, without those that repeat the entries of a list. */
function fieldsOf(type: GraphQLObjectType) {
  return Object.values(type.getFields()).flatMap((field) => {
    const inner = getNamedType(field.type);
    if (!isObjectType(inner) || field.name === 'edges' || field.args.some(isRequiredArgument)) return [];
    return [{ name: field.name, inner, idMember: readRecordLink(field) }];
  });
}

const keyOf = (type: GraphQLObjectType) => (type.getFields().id ? 'id' : '__typename');
