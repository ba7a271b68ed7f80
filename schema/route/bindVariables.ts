import {
  type GraphQLInputField,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isInputObjectType,
  isInputType,
  isListType,
  isNonNullType,
  isRequiredInputField,
  Kind,
  typeFromAST,
  type VariableDefinitionNode,
  valueFromAST,
} from 'graphql';
import type { Route } from './Route.ts';
import type {
  BodyBinding,
  EchoBinding,
  HeaderBinding,
  ParameterBinding,
  ParameterStyle,
} from './RouteBinding.ts';
import type { FieldTraits } from './readTraits.ts';
import { listedMembers } from './restNames.ts';

/** Sources of the variables of an operation. */
export interface VariableBindings {
  parameters: ParameterBinding[];
  ifMatch?: HeaderBinding;
  idempotencyKey?: HeaderBinding;
  acceptLanguage?: HeaderBinding;
  echoes: EchoBinding[];
  body?: BodyBinding;
}

/** A variable or a member of `$input`: something one value of the request fills. */
interface Target {
  name: string;
  path: readonly string[];
  type: GraphQLInputType;
  required: boolean;
  description: string | null | undefined;
  defaultValue?: unknown;
}

const inputVariable = 'input';

/** Types of derived variables. */
const typesOfEchoes = { presence: 'Boolean', text: 'String', attribute: 'AttributeSortInput' } as const;

/**
 * Derives the source of every variable by name alone: path, header, body or query.
 *
 * @throws Error if a path parameter is unused, or a variable cannot be written in a query
 */
export function bindVariables(route: Route, traits: FieldTraits, schema: GraphQLSchema): VariableBindings {
  const operation = route.document.definitions.find((node) => node.kind === Kind.OPERATION_DEFINITION);
  const definitions = operation?.variableDefinitions ?? [];
  const bindings: VariableBindings = { parameters: [], echoes: [] };
  const variables = definitions.map((definition) => toTarget(definition, schema));
  const input = variables.find(({ name, type }) => name === inputVariable && isInputObjectType(type));
  const inputType = input?.type as GraphQLInputObjectType | undefined;
  const plain = variables.filter((target) => target !== input);
  const names = new Set([...plain.map(({ name }) => name), ...Object.keys(inputType?.getFields() ?? {})]);
  const unbound = new Map(route.pathParameters.map((name) => [variableOf(name, route, names), name]));
  for (const target of plain) {
    if (bindEcho(route, target, plain, bindings)) continue;
    if (bindPath(target, unbound, bindings) || bindHeader(traits, target, bindings)) continue;
    bindings.parameters.push(toQueryParameter(route, target, false));
  }
  if (inputType) bindInput(route, traits, inputType, unbound, bindings);
  const [left] = unbound.values();
  if (left !== undefined) throw new Error(`path parameter "${left}" fills no variable`);
  return bindings;
}

function toTarget(definition: VariableDefinitionNode, schema: GraphQLSchema): Target {
  const name = definition.variable.name.value;
  // typeFromAST accepts any type node; its overloads declare only single kinds.
  const type = typeFromAST(schema, definition.type as never) as GraphQLInputType | undefined;
  if (!type || !isInputType(type)) throw new Error(`variable $${name} has an unknown type`);
  const defaultValue = definition.defaultValue && valueFromAST(definition.defaultValue, type);
  return {
    name,
    path: [name],
    type: getNullableType(type),
    required: isNonNullType(type) && defaultValue === undefined,
    description: undefined,
    ...(defaultValue === undefined ? {} : { defaultValue }),
  };
}

/**
 * Returns the variable of a path parameter: the one with its name, or `id` if it is the only parameter and has none.
 */
function variableOf(parameter: string, route: Route, names: ReadonlySet<string>): string {
  return !names.has(parameter) && route.pathParameters.length === 1 && names.has('id') ? 'id' : parameter;
}

function bindInput(
  route: Route,
  traits: FieldTraits,
  type: GraphQLInputObjectType,
  unbound: Map<string, string>,
  bindings: VariableBindings,
): void {
  const free = Object.values(type.getFields()).filter((field) => {
    const target = toMember(field);
    if (bindKey(target, unbound, bindings)) return false;
    return !bindPath(target, unbound, bindings) && !bindHeader(traits, target, bindings);
  });
  bindFree(route, type, free, bindings);
}

/** Binds a member that is a composite key, as `{type, id}`, if the path has a parameter for each part. */
function bindKey({ path, type }: Target, unbound: Map<string, string>, bindings: VariableBindings): boolean {
  if (!isInputObjectType(type)) return false;
  const parts = Object.values(type.getFields());
  if (!parts.every((part) => isRequiredInputField(part) && unbound.has(part.name))) return false;
  for (const part of parts) {
    bindPath({ ...toMember(part), path: [...path, part.name] }, unbound, bindings);
  }
  return true;
}

function bindFree(
  route: Route,
  type: GraphQLInputObjectType,
  free: readonly GraphQLInputField[],
  bindings: VariableBindings,
): void {
  const inQuery = route.method === 'GET' || route.method === 'DELETE';
  const unknown = route.queryMembers.find((name) => !hasMember(free, name));
  if (unknown !== undefined)
    throw new Error(`"query" names "${unknown}", which is not a free member of $input`);
  for (const field of free) {
    if (!inQuery && !route.queryMembers.includes(field.name)) continue;
    bindings.parameters.push(toQueryParameter(route, toMember(field), !inQuery));
  }
  if (route.method === 'GET') return;
  bindings.body = {
    variable: inputVariable,
    type,
    members: free,
    required: route.method === 'PATCH' || (!inQuery && free.some((field) => isRequiredInBody(route, field))),
    insteadOfQuery: inQuery,
  };
}

function isRequiredInBody(route: Route, field: GraphQLInputField): boolean {
  return isRequiredInputField(field) && !route.queryMembers.includes(field.name);
}

function bindPath(target: Target, unbound: Map<string, string>, bindings: VariableBindings): boolean {
  const name = unbound.get(target.name);
  if (name === undefined) return false;
  unbound.delete(target.name);
  assertScalar(target, `path parameter "${name}"`);
  bindings.parameters.push({
    ...common(target),
    name,
    in: 'path',
    style: 'single',
    required: true,
    alsoInBody: false,
  });
  return true;
}

function bindHeader(traits: FieldTraits, target: Target, bindings: VariableBindings): boolean {
  const { path, required } = target;
  const isInt = getNamedType(target.type).name === 'Int';
  if (target.name === 'expectedVersion') bindings.ifMatch = { target: path, required, isInt };
  else if (target.name === 'acceptLanguage') bindings.acceptLanguage = { target: path, required, isInt };
  else if (target.name === 'idempotencyKey') {
    bindings.idempotencyKey = {
      target: path,
      required: required || traits.idempotent?.required === true,
      isInt,
    };
  } else return false;
  return true;
}

/**
 * Binds a derived variable.
 *
 * @throws Error if the variable is of another type, or there is no parameter to derive it from
 */
function bindEcho(
  route: Route,
  { name, type }: Target,
  variables: readonly Target[],
  bindings: VariableBindings,
): boolean {
  const { presenceOf, textOf, attributeOf } = route.parameterOptions.get(name) ?? {};
  const source = presenceOf ?? textOf ?? attributeOf;
  if (source === undefined) return false;
  const of = presenceOf !== undefined ? 'presence' : textOf !== undefined ? 'text' : 'attribute';
  const expected = typesOfEchoes[of];
  if (String(type) !== expected || !variables.some((other) => other.name === source))
    throw new Error(`$${name} must be a ${expected} that tells of another variable`);
  const parameter = route.parameterOptions.get(source)?.name ?? source;
  bindings.echoes.push({ variable: name, parameter, of });
  return true;
}

function toQueryParameter(route: Route, target: Target, alsoInBody: boolean): ParameterBinding {
  const options = target.path.length === 1 ? route.parameterOptions.get(target.name) : undefined;
  const { required } = target;
  if (options?.prefix !== undefined) {
    assertPrefixed(target);
    return { ...common(target), name: options.prefix, in: 'query', style: 'prefix', required, alsoInBody };
  }
  assertScalar(target, `variable or member "${target.name}"`);
  const isList = isListType(target.type) || listedMembers(target.type) !== undefined;
  const style: ParameterStyle = !isList ? 'single' : options?.explode ? 'repetition' : 'commas';
  const description = options?.description ?? target.description;
  const name = options?.name ?? target.name;
  return { ...common(target), description, name, in: 'query', style, required, alsoInBody };
}

function common({ path, type, description, defaultValue }: Target) {
  return { target: path, type, description, ...(defaultValue === undefined ? {} : { defaultValue }) };
}

function assertScalar({ type }: Target, what: string): void {
  if (!isInputObjectType(getNamedType(type)) || listedMembers(type)) return;
  throw new Error(`${what} is an input object, which neither path nor query can carry`);
}

function assertPrefixed({ name, type }: Target): void {
  const entry = isListType(type) ? getNullableType(type.ofType) : undefined;
  if (isInputObjectType(entry) && entry.getFields().name && entry.getFields().values) return;
  throw new Error(`$${name} collects a prefix, so it must be a list of inputs with "name" and "values"`);
}

function toMember(field: GraphQLInputField): Target {
  return {
    name: field.name,
    path: [inputVariable, field.name],
    type: getNullableType(field.type),
    required: isRequiredInputField(field),
    description: field.description,
    ...(field.defaultValue === undefined ? {} : { defaultValue: field.defaultValue }),
  };
}

function hasMember(fields: readonly GraphQLInputField[], name: string): boolean {
  return fields.some((field) => field.name === name);
}
