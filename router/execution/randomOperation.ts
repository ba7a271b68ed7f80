import {
  type GraphQLArgument,
  type GraphQLCompositeType,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isCompositeType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isUnionType,
  type OperationTypeNode,
} from 'graphql';

/** A whole number from 0 up to, not including, the limit. */
export type Draw = (limit: number) => number;

export interface RandomOperation {
  readonly text: string;
  readonly variables: Record<string, unknown>;
}

interface Writing {
  readonly schema: GraphQLSchema;
  readonly draw: Draw;
  readonly variableTypes: Map<string, string>;
  readonly variables: Record<string, unknown>;
  readonly fragments: string[];
  budget: number;
}

const aliases = [
  'x',
  'y',
  'id',
  'name',
  'constructor',
  '__proto__',
  'price',
  'toString',
  '_internal_qp_alias_0',
];
const scalars: Readonly<Record<string, readonly unknown[]>> = {
  Int: [0, 1, 2, -3],
  Float: [0.5, 2, -1e3],
  Boolean: [true, false],
  String: ['', 'a', 'ü"\n'],
  ID: ['1', '2', '3', 'none'],
};
const anyScalar = [1, 'text', true];

/**
 * Writes an operation that is usually valid for the schema: aliases (dangerous ones too), fragments, nested
 * abstract types, conditions, literals and variables, some of them omitted or null. For tests.
 */
export function randomOperation(schema: GraphQLSchema, type: OperationTypeNode, draw: Draw): RandomOperation {
  const root = schema.getRootType(type);
  if (root == null) throw new Error(`The schema has no ${type} type.`);
  const writing: Writing = {
    schema,
    draw,
    variableTypes: new Map(),
    variables: {},
    fragments: [],
    budget: 6 + draw(30),
  };
  const selections = writeSelections(writing, root, 0);
  const definitions = [...writing.variableTypes].map(([name, text]) => `$${name}: ${text}`).join(', ');
  const header = definitions === '' ? type : `${type} Random(${definitions})`;
  return { text: [`${header} ${selections}`, ...writing.fragments].join('\n'), variables: writing.variables };
}

function writeSelections(writing: Writing, type: GraphQLCompositeType, depth: number): string {
  const { draw } = writing;
  const fields = isUnionType(type) ? [] : Object.values(type.getFields());
  const parts: string[] = [];
  const wanted = 1 + draw(4);
  for (let i = 0; i < wanted; i++) {
    writing.budget--;
    const roll = draw(10);
    if (roll === 0) parts.push('__typename');
    else if (roll <= 2 || fields.length === 0) parts.push(writeFragment(writing, type, depth));
    else
      parts.push(writeField(writing, fields[draw(fields.length)] as GraphQLField<unknown, unknown>, depth));
  }
  const kept = parts.filter((part) => part !== '');
  return `{ ${kept.length === 0 ? '__typename' : kept.join(' ')} }`;
}

function writeField(writing: Writing, field: GraphQLField<unknown, unknown>, depth: number): string {
  const { draw } = writing;
  const type = getNamedType(field.type);
  if (isCompositeType(type) && (depth >= 5 || writing.budget <= 0)) return '';
  const alias = draw(4) === 0 ? `${aliases[draw(aliases.length)] ?? 'x'}: ` : '';
  const written = field.args
    .map((argument) => writeArgument(writing, argument))
    .filter((text) => text !== '');
  const argumentList = written.length === 0 ? '' : `(${written.join(', ')})`;
  const nested = isCompositeType(type) ? ` ${writeSelections(writing, type, depth + 1)}` : '';
  return `${alias}${field.name}${argumentList}${writeCondition(writing)}${nested}`;
}

function writeFragment(writing: Writing, type: GraphQLCompositeType, depth: number): string {
  const { draw, schema } = writing;
  if (depth >= 5 || writing.budget <= 0) return '';
  const candidates: GraphQLCompositeType[] = [type];
  if (isAbstractType(type)) candidates.push(...schema.getPossibleTypes(type));
  if ('getInterfaces' in type) candidates.push(...type.getInterfaces());
  const target = candidates[draw(candidates.length)] ?? type;
  const selections = writeSelections(writing, target, depth + 1);
  if (draw(3) !== 0) return `... on ${target.name}${writeCondition(writing)} ${selections}`;
  const name = `F${writing.fragments.length}`;
  writing.fragments.push(`fragment ${name} on ${target.name} ${selections}`);
  return `...${name}${writeCondition(writing)}`;
}

function writeCondition({ draw, variableTypes, variables }: Writing): string {
  if (draw(7) !== 0) return '';
  const directive = draw(2) === 0 ? 'skip' : 'include';
  if (draw(3) === 0) return ` @${directive}(if: ${draw(2) === 0})`;
  const name = `condition${draw(3)}`;
  variableTypes.set(name, 'Boolean!');
  variables[name] ??= draw(2) === 0;
  return ` @${directive}(if: $${name})`;
}

function writeArgument(writing: Writing, argument: GraphQLArgument): string {
  const { draw } = writing;
  const isRequired = isNonNullType(argument.type) && argument.defaultValue === undefined;
  if (!isRequired && draw(2) === 0) return '';
  return `${argument.name}: ${writeValue(writing, argument.type, 0)}`;
}

function writeValue(writing: Writing, type: GraphQLInputType, depth: number): string {
  const { draw } = writing;
  if (draw(3) === 0) {
    const name = `v${writing.variableTypes.size}`;
    writing.variableTypes.set(name, String(type));
    if (isNonNullType(type) || draw(4) !== 0) writing.variables[name] = randomValue(writing, type, depth);
    return `$${name}`;
  }
  if (isNonNullType(type)) return writeLiteral(writing, type.ofType, depth);
  return draw(8) === 0 ? 'null' : writeLiteral(writing, type, depth);
}

function writeLiteral(writing: Writing, type: GraphQLInputType, depth: number): string {
  const { draw } = writing;
  if (isNonNullType(type)) return writeLiteral(writing, type.ofType, depth);
  if (isListType(type)) {
    return `[${Array.from({ length: draw(3) }, () => writeValue(writing, type.ofType, depth + 1)).join(', ')}]`;
  }
  if (isEnumType(type)) return type.getValues()[draw(type.getValues().length)]?.name ?? 'null';
  if (!isInputObjectType(type)) return JSON.stringify(scalarValue(writing, type.name));
  const members = Object.values(type.getFields()).flatMap((field) => {
    if (!isNonNullType(field.type) && (depth > 2 || draw(2) === 0)) return [];
    return [`${field.name}: ${writeValue(writing, field.type, depth + 1)}`];
  });
  return `{${members.join(', ')}}`;
}

function randomValue(writing: Writing, type: GraphQLInputType, depth: number): unknown {
  const { draw } = writing;
  if (isNonNullType(type)) return randomValue(writing, type.ofType, depth);
  if (depth > 0 && draw(6) === 0) return null;
  if (isListType(type)) {
    return Array.from({ length: draw(3) }, () => {
      const item = randomValue(writing, type.ofType, depth + 1);
      return item === null && isNonNullType(type.ofType) ? randomValue(writing, type.ofType, 0) : item;
    });
  }
  if (isEnumType(type)) return type.getValues()[draw(type.getValues().length)]?.name;
  if (!isInputObjectType(type)) return scalarValue(writing, type.name);
  const value: Record<string, unknown> = {};
  for (const field of Object.values(type.getFields())) {
    if (isNonNullType(field.type)) value[field.name] = randomValue(writing, field.type.ofType, 0);
    else if (depth <= 2 && draw(2) === 0) value[field.name] = randomValue(writing, field.type, depth + 1);
  }
  return value;
}

function scalarValue({ draw }: Writing, name: string): unknown {
  const values = scalars[name] ?? anyScalar;
  return values[draw(values.length)];
}
