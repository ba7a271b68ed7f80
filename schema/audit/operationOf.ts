import {
  type GraphQLField,
  type GraphQLNamedType,
  getNamedType,
  isInterfaceType,
  isLeafType,
  isObjectType,
  isRequiredArgument,
} from 'graphql';

type Field = GraphQLField<unknown, unknown>;

/** Depth of an operation without nearer fields: payload or connection, then its content. */
const deepest = 3;

/**
 * Builds an operation with a root field as a start in the explorer: every argument is a variable, and the nearest
 * fields are selected.
 *
 * @param kind `Query`, `Mutation` or `Subscription`
 */
export function operationOf(kind: string, field: Field): string {
  const variables = field.args.map(({ name, type }) => `$${name}: ${String(type)}`);
  const values = field.args.map(({ name }) => `${name}: $${name}`);
  const inParentheses = (parts: readonly string[]) => (parts.length > 0 ? `(${parts.join(', ')})` : '');
  const selection = selectionOf(getNamedType(field.type), 1);
  return `${kind.toLowerCase()} ${field.name}${inParentheses(variables)} { ${field.name}${inParentheses(values)}${selection} }`;
}

function selectionOf(type: GraphQLNamedType, depth: number): string {
  if (isLeafType(type)) return '';
  const fields = isObjectType(type) || isInterfaceType(type) ? Object.values(type.getFields()) : [];
  const askable = fields.filter((field) => isVisible(field) && !field.args.some(isRequiredArgument));
  const leaves = askable.filter((field) => isLeafType(getNamedType(field.type))).map(({ name }) => name);
  const [first] = askable;
  if (leaves.length > 0) return ` { ${leaves.join(' ')} }`;
  return first && depth < deepest
    ? ` { ${first.name}${selectionOf(getNamedType(first.type), depth + 1)} }`
    : ' { __typename }';
}

/** Returns whether a member is visible; the supergraph also contains members that clients cannot see. */
function isVisible({ astNode }: Field): boolean {
  return !astNode?.directives?.some(({ name }) => name.value === 'inaccessible');
}
