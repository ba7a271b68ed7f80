import {
  type GraphQLInputField,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isRequiredInputField,
} from 'graphql';
import { type FieldProblem, maxFieldProblems, shown } from '../Problem.ts';
import { listedMembers, toSnakeCase } from './restNames.ts';
import { scalarFormat } from './scalarFormats.ts';

/** Position of a value in the body; none for the body itself. */
interface InputPosition {
  readonly parent: InputPosition | null;
  readonly key: string | number;
}

/** Checks a value, collects its errors, and returns it with GraphQL's names. */
type ValueReader = (
  value: unknown,
  parent: InputPosition | null,
  key: string | number,
  problems: FieldProblem[],
) => unknown;

/** Reads the members of a body into an input; `problems` collects its errors, at most 100. */
export type InputReader = (body: unknown, problems: FieldProblem[]) => Record<string, unknown>;

/** Options for reading the members of a body. */
export interface InputOptions {
  readonly snakeCase: boolean;
  /** Names (REST) that the answer shows but no caller may write. */
  readonly readOnly: ReadonlySet<string>;
  /** Members that may be stated elsewhere, so the body need not have them. */
  readonly optional: ReadonlySet<string>;
}

/**
 * Compiles the check of a body against an input type: unknown members (422 `unknown_field`, `read_only_field`), missing
 * and mistyped ones (422 `validation_failed`), enum values in lower case. Absent and null members stay distinct, so
 * that a merge patch (RFC 7396) keeps its meaning.
 */
export function compileInput(members: readonly GraphQLInputField[], options: InputOptions): InputReader {
  const read = compileMembers(members, options, new Map(), options.optional);
  return (body, problems) => {
    if (isObject(body)) return read(body, null, problems);
    note(problems, null, '', 'validation_failed', 'The body must be a JSON object.');
    return {};
  };
}

type MembersReader = (
  value: object,
  place: InputPosition | null,
  problems: FieldProblem[],
) => Record<string, unknown>;
type Compiled = Map<GraphQLInputObjectType, { read: MembersReader }>;

function compileMembers(
  fields: readonly GraphQLInputField[],
  options: InputOptions,
  compiled: Compiled,
  optional: ReadonlySet<string>,
): MembersReader {
  const restName = (name: string) => (options.snakeCase ? toSnakeCase(name) : name);
  const byName = new Map(
    fields.map((field) => [
      restName(field.name),
      { name: field.name, read: compileValue(field.type, options, compiled) },
    ]),
  );
  const required = fields
    .filter((field) => isRequiredInputField(field) && !optional.has(field.name))
    .map(({ name }) => ({ name, restName: restName(name) }));
  return (value, place, problems) => {
    const input: Record<string, unknown> = {};
    for (const [key, member] of Object.entries(value)) {
      const known = byName.get(key);
      if (known) input[known.name] = known.read(member, place, key, problems);
      else noteUnknown(problems, place, key, options);
    }
    for (const { name, restName: key } of required) {
      if (!Object.hasOwn(input, name))
        note(problems, place, key, 'validation_failed', `"${key}" is required.`);
    }
    return input;
  };
}

function compileValue(type: GraphQLInputType, options: InputOptions, compiled: Compiled): ValueReader {
  if (isNonNullType(type)) {
    const read = compileValue(type.ofType, options, compiled);
    return (value, parent, key, problems) =>
      value === null ? invalid(problems, parent, key, 'not null') : read(value, parent, key, problems);
  }
  const read = compileNonNull(type, options, compiled);
  return (value, parent, key, problems) => (value === null ? null : read(value, parent, key, problems));
}

function compileNonNull(type: GraphQLInputType, options: InputOptions, compiled: Compiled): ValueReader {
  if (isListType(type)) {
    const readItem = compileValue(type.ofType, options, compiled);
    return (value, parent, key, problems) => {
      if (!Array.isArray(value)) return invalid(problems, parent, key, 'a list');
      const place = { parent, key };
      return value.map((item, index) => readItem(item, place, index, problems));
    };
  }
  const listed = listedMembers(type);
  if (listed) return compileListed(listed);
  if (isInputObjectType(type)) return compileObject(type, options, compiled);
  if (isEnumType(type)) {
    // Internal values, or the names if the schema has none.
    const values = new Map<string, unknown>(
      type.getValues().map(({ name, value }) => [name.toLowerCase(), value]),
    );
    const expectation = `one of ${[...values.keys()].join(', ')}`;
    return (value, parent, key, problems) =>
      (typeof value === 'string' ? values.get(value) : undefined) ??
      invalid(problems, parent, key, expectation);
  }
  const format = scalarFormat(String(type));
  return (value, parent, key, problems) =>
    format.accepts(value) ? value : invalid(problems, parent, key, format.expectation);
}

/** Compiles the check of an object that REST writes as a list of numbers. */
function compileListed(members: readonly string[]): ValueReader {
  const isNumber = scalarFormat('Float').accepts;
  return (value, parent, key, problems) =>
    Array.isArray(value) && value.length === members.length && value.every(isNumber)
      ? Object.fromEntries(members.map((member, index) => [member, value[index] as unknown]))
      : invalid(problems, parent, key, `a list of ${members.length} numbers: ${members.join(', ')}`);
}

function compileObject(type: GraphQLInputObjectType, options: InputOptions, compiled: Compiled): ValueReader {
  let entry = compiled.get(type);
  if (!entry) {
    // Added before its members are compiled, because an input may be recursive.
    entry = { read: () => ({}) };
    compiled.set(type, entry);
    const inner = { ...options, readOnly: new Set<string>() };
    entry.read = compileMembers(Object.values(type.getFields()), inner, compiled, new Set());
  }
  const object = entry;
  return (value, parent, key, problems) =>
    isObject(value)
      ? object.read(value, { parent, key }, problems)
      : invalid(problems, parent, key, 'an object');
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function noteUnknown(
  problems: FieldProblem[],
  place: InputPosition | null,
  key: string,
  options: InputOptions,
): void {
  const name = shown(key);
  if (options.readOnly.has(key))
    note(problems, place, key, 'read_only_field', `"${name}" cannot be written.`);
  else note(problems, place, key, 'unknown_field', `"${name}" is not a member of this object.`);
}

function invalid(
  problems: FieldProblem[],
  parent: InputPosition | null,
  key: string | number,
  expectation: string,
): undefined {
  const subject = typeof key === 'number' ? 'This item' : `"${key}"`;
  note(problems, parent, key, 'validation_failed', `${subject} must be ${expectation}.`);
  return undefined;
}

function note(
  problems: FieldProblem[],
  parent: InputPosition | null,
  key: string | number,
  code: string,
  detail: string,
): void {
  if (problems.length >= maxFieldProblems) return;
  problems.push({ pointer: pointerOf(parent, key), code, detail });
}

/** Returns the JSON pointer (RFC 6901) as a URI fragment; the empty key at the top is the body itself. */
function pointerOf(parent: InputPosition | null, key: string | number): string {
  if (parent === null && key === '') return '#';
  const steps = [key];
  for (let place = parent; place; place = place.parent) steps.unshift(place.key);
  return `#${steps.map((step) => `/${encodePointer(shown(String(step)))}`).join('')}`;
}

function encodePointer(step: string): string {
  return encodeURIComponent(step.toWellFormed().replaceAll('~', '~0').replaceAll('/', '~1'));
}
