import {
  GraphQLFloat,
  type GraphQLInputType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
} from 'graphql';
import { shown } from '../../../schema/Problem.ts';
import {
  type EchoBinding,
  maxPageSize,
  type PagingBinding,
  type ParameterBinding,
} from '../../../schema/route/RouteBinding.ts';
import { isOrder, listedMembers, restValuesOf } from '../../../schema/route/restNames.ts';
import { scalarFormat } from '../../../schema/route/scalarFormats.ts';
import { Refusal } from '../Refusal.ts';
import { decodeEscapes } from './readQuery.ts';

/** Variables of an execution; `input` is filled from several places. */
export type Variables = Record<string, unknown>;

/** Parses a text. Returns undefined if it is not of the type. */
export type TextReader = (text: string) => unknown;

type QueryReader = (texts: readonly string[], name: string, variables: Variables) => void;

/** Fills variables from the raw path values and the query. */
export interface ParameterReader {
  /** Reads raw values in the order of the template. */
  readPath(values: readonly string[], variables: Variables): void;
  readQuery(query: ReadonlyMap<string, readonly string[]>, variables: Variables): void;
}

/** Matches an order by an attribute. */
const attributeOrder = /^(-?)([a-z][A-Za-z0-9]{0,39})$/;

/** Maximum number of items of a list in a query. */
const maxListItems = 250;

/**
 * Compiles the parameters of a route. All of their errors are 400: `unsupported_parameter` for an unknown or repeated
 * one, `malformed_request` for a missing or mistyped one.
 *
 * @param pathParameters names in the order of the template
 */
export function compileParameters(
  pathParameters: readonly string[],
  parameters: readonly ParameterBinding[],
  paging: PagingBinding | undefined,
  echoes: readonly EchoBinding[] = [],
): ParameterReader {
  const inPath = pathParameters.map((name) => pathReader(name, parameters));
  const readers = new Map<string, QueryReader>();
  const prefixes: { prefix: string; read: QueryReader }[] = [];
  for (const parameter of parameters) {
    if (parameter.in === 'path') continue;
    if (parameter.style === 'prefix')
      prefixes.push({ prefix: parameter.name, read: prefixReader(parameter) });
    else readers.set(parameter.name, queryReader(parameter, paging, echoes));
  }
  const required = parameters.filter((parameter) => isRequiredInQuery(parameter));
  return {
    readPath(values, variables) {
      for (const [index, read] of inPath.entries()) read(values[index] ?? '', variables);
    },
    readQuery(query, variables) {
      for (const [name, texts] of query) {
        const read = readers.get(name) ?? prefixes.find(({ prefix }) => name.startsWith(prefix))?.read;
        if (!read) throw refusal('unsupported_parameter', name, 'is unknown for this route');
        read(texts, name, variables);
      }
      for (const { name } of required) {
        if (!query.has(name)) throw refusal('malformed_request', name, 'is required');
      }
      for (const { variable, parameter, of } of echoes) {
        const [text = null] = query.get(parameter) ?? [];
        if (of === 'presence') variables[variable] = text !== null;
        else if (of === 'text') variables[variable] = text;
      }
      if (paging) variables[paging.size.variable] ??= Math.min(paging.size.defaultValue, maxPageSize);
    },
  };
}

function isRequiredInQuery({ in: place, required, alsoInBody }: ParameterBinding): boolean {
  return place === 'query' && required && !alsoInBody;
}

function pathReader(name: string, parameters: readonly ParameterBinding[]) {
  const binding = parameters.find((parameter) => parameter.in === 'path' && parameter.name === name);
  if (!binding) throw new Error(`path parameter "${name}" is not bound`);
  const read = compileText(binding.type);
  return (raw: string, variables: Variables) => {
    assign(variables, binding.target, valueOf(read, decodeEscapes(raw), name, binding.type));
  };
}

function queryReader(
  parameter: ParameterBinding,
  paging: PagingBinding | undefined,
  echoes: readonly EchoBinding[],
): QueryReader {
  const { target, type, style } = parameter;
  if (paging && target.length === 1 && target[0] === paging.size.variable) return pageSizeReader(parameter);
  const byAttribute = echoes.find(({ parameter: name, of }) => of === 'attribute' && name === parameter.name);
  if (byAttribute) return orderReader(parameter, byAttribute);
  const members = listedMembers(type);
  if (members) return membersReader(parameter, members);
  if (style === 'single' || !isListType(type)) {
    const read = compileText(type);
    return (texts, name, variables) =>
      assign(variables, target, valueOf(read, only(texts, name), name, type));
  }
  const itemType = getNullableType(type.ofType);
  const read = compileText(itemType);
  return (texts, name, variables) => {
    const items = style === 'repetition' ? texts : only(texts, name).split(',');
    if (items.length > maxListItems) {
      throw refusal('malformed_request', name, `must have at most ${maxListItems} items`);
    }
    assign(
      variables,
      target,
      items.map((item) => valueOf(read, item, name, itemType)),
    );
  };
}

/** Returns the reader of an order that is a value of an enum, or the name of an attribute: `price`, `-mileageKm`. */
function orderReader({ target, type }: ParameterBinding, { variable }: EchoBinding): QueryReader {
  const read = compileText(type);
  return (texts, name, variables) => {
    const text = only(texts, name);
    const [, minus, attribute] = attributeOrder.exec(text) ?? [];
    if (read(text) === undefined && attribute !== undefined)
      variables[variable] = { name: attribute, direction: minus === '-' ? 'DESC' : 'ASC' };
    else assign(variables, target, valueOf(read, text, name, type));
  };
}

/** Returns the reader of an input whose members are a list of numbers: `52.53,13.39` -> {lat: 52.53, lng: 13.39}. */
function membersReader({ target }: ParameterBinding, members: readonly string[]): QueryReader {
  const format = scalarFormat('Float');
  return (texts, name, variables) => {
    const numbers = only(texts, name)
      .split(',', maxListItems)
      .map((text) => valueOf(format.parse, text, name, GraphQLFloat));
    if (numbers.length !== members.length)
      throw refusal('malformed_request', name, `must have ${members.length} values: ${members.join(', ')}`);
    assign(variables, target, Object.fromEntries(members.map((member, index) => [member, numbers[index]])));
  };
}

/** Returns the reader of a page size. A value outside the range is refused, because the client would miss entries. */
function pageSizeReader({ target, type }: ParameterBinding): QueryReader {
  const read = compileText(type);
  return (texts, name, variables) => {
    const size = valueOf(read, only(texts, name), name, type);
    if (typeof size !== 'number' || size < 1 || size > maxPageSize) {
      const rule = `must be from 1 to ${maxPageSize}. Follow \`page.nextCursor\` for more entries`;
      throw refusal('malformed_request', name, rule);
    }
    assign(variables, target, size);
  };
}

/**
 * Returns the reader of prefixed parameters: `attr.make=a,b` -> {name: "make", values: [a, b]}; `attr.year.min=2020` ->
 * {name: "year", min: 2020} if the input has a member `min`. Several operators of one name are one entry.
 */
function prefixReader({ name: prefix, target, type }: ParameterBinding): QueryReader {
  const entryType = isListType(type) ? getNullableType(type.ofType) : type;
  if (!isInputObjectType(entryType)) throw new Error(`"${prefix}" does not collect into input objects`);
  const operators = new Map(
    Object.values(entryType.getFields()).map((field) => [field.name, getNullableType(field.type)]),
  );
  operators.delete('name');
  return (texts, name, variables) => {
    const key = name.slice(prefix.length);
    const dot = key.lastIndexOf('.');
    const suffix = dot > 0 ? key.slice(dot + 1) : '';
    const operator = suffix !== 'values' && operators.has(suffix) ? suffix : 'values';
    const entryName = operator === 'values' ? key : key.slice(0, dot);
    if (entryName === '') throw refusal('unsupported_parameter', name, 'is unknown for this route');
    const value = operatorValue(operators.get(operator) as GraphQLInputType, only(texts, name), name);
    const entries = (read(variables, target) ?? []) as Record<string, unknown>[];
    const entry = entries.find((candidate) => candidate.name === entryName);
    if (entry) entry[operator] = value;
    else assign(variables, target, [...entries, { name: entryName, [operator]: value }]);
  };
}

function operatorValue(type: GraphQLInputType, text: string, name: string): unknown {
  if (!isListType(type)) return valueOf(compileText(type), text, name, type);
  const itemType = getNullableType(type.ofType);
  const readItem = compileText(itemType);
  return text.split(',', maxListItems).map((item) => valueOf(readItem, item, name, itemType));
}

function only(texts: readonly string[], name: string): string {
  const [text] = texts;
  if (text === undefined || texts.length > 1) {
    throw refusal('unsupported_parameter', name, 'appears more than once');
  }
  return text;
}

function valueOf(read: TextReader, text: string, name: string, type: GraphQLInputType): unknown {
  const value = read(text);
  if (value !== undefined) return value;
  const expectation = isEnumType(type)
    ? [...restValuesOf(type).keys()].join(', ')
    : scalarFormat(String(type)).expectation;
  const code = isOrder(type) ? 'unsupported_parameter' : 'malformed_request';
  throw refusal(code, name, `must be ${isEnumType(type) ? 'one of ' : ''}${expectation}`);
}

/** Returns the error for a parameter, whose name is a member of the problem. */
function refusal(code: 'malformed_request' | 'unsupported_parameter', name: string, rule: string): Refusal {
  return new Refusal(code, `The parameter "${shown(name)}" ${rule}.`, { parameter: shown(name) });
}

/** Returns the reader of a scalar or enum from a text. */
export function compileText(type: GraphQLInputType): TextReader {
  if (isEnumType(type)) {
    const values = restValuesOf(type);
    return (text) => values.get(text);
  }
  const format = scalarFormat(String(type));
  return (text) => format.parse(text);
}

/** Sets a variable, a member of the input, or a part of a member. */
export function assign(variables: Variables, [first = '', ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) {
    variables[first] = value;
    return;
  }
  variables[first] ??= {};
  assign(variables[first] as Variables, rest, value);
}

function read(variables: Variables, [variable = '', member]: readonly string[]): unknown {
  const value = variables[variable];
  return member === undefined ? value : (value as Record<string, unknown> | undefined)?.[member];
}
