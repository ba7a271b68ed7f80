import type { IncomingMessage } from 'node:http';
import { type GraphQLInputType, getNullableType, isListType } from 'graphql';
import { type FieldProblem, shown } from '../../../schema/Problem.ts';
import { compileInput, type InputReader } from '../../../schema/route/compileInput.ts';
import { namesReadOnly } from '../../../schema/route/namesReadOnly.ts';
import type { RouteBinding } from '../../../schema/route/RouteBinding.ts';
import { toSnakeCase } from '../../../schema/route/restNames.ts';
import { assertMediaType, formType, jsonType, mergePatchType } from '../mediaTypes.ts';
import { invalidMembers, Refusal } from '../Refusal.ts';
import { compileText, type Variables } from './compileParameters.ts';
import { parseJson, toText } from './parseJson.ts';
import { type BodyLimits, hasBody, readBody } from './readBody.ts';
import { multipartType } from './readForm.ts';
import { readQuery } from './readQuery.ts';

/** A body as it arrived, not yet understood. */
export interface RawBody {
  readonly mediaType: string;
  readonly bytes: Buffer;
  /** Parsed JSON, if it was changed after the parse. */
  readonly value?: unknown;
}

/** Reads the body of a route in two steps: first HTTP errors (415, 413, 408), then errors of the content (400, 422). */
export interface RequestBody {
  /** Receives the body; null if the request has none. */
  receive(request: IncomingMessage): Promise<RawBody> | null;
  fill(body: RawBody | null, variables: Variables): void;
}

/** Largest body of a JSON route that states no other limit. */
const defaultBodyBytes = 256 * 1024;

/** Largest form: it contains only credentials. */
const formBytes = 16 * 1024;

/** Compiles the body of a route. A route without a body accepts an empty object. */
export function compileRequestBody(binding: RouteBinding, timeouts: Omit<BodyLimits, 'bytes'>): RequestBody {
  const { route, body, traits } = binding;
  const accepted = new Set([jsonType]);
  if (route.method === 'PATCH') accepted.add(mergePatchType);
  if (route.form) accepted.add(formType);
  // Read elsewhere; here the type is only listed as accepted.
  if (route.upload) accepted.add(multipartType);
  for (const type of route.fileBody?.types ?? []) accepted.add(type);
  const limits = { bytes: traits.bodyBytes ?? defaultBodyBytes, ...timeouts };
  const formLimits = { bytes: formBytes, ...timeouts };
  const readJson = compileInput(body?.members ?? [], {
    snakeCase: route.snakeCase,
    readOnly: readOnlyMembers(binding),
    optional: new Set(route.queryMembers),
  });
  const readForm = compileForm(binding);
  const required = body?.required ?? false;
  return {
    receive(request) {
      if (!hasBody(request)) return null;
      const mediaType = assertMediaType(request, accepted);
      return readBody(request, mediaType === formType ? formLimits : limits).then((bytes) => ({
        mediaType,
        bytes,
      }));
    },
    fill(raw, variables) {
      const problems: FieldProblem[] = [];
      const input = toInput(raw, required, readJson, readForm, problems);
      for (const name of route.queryMembers) noteMissing(binding, name, input, variables, problems);
      if (problems.length > 0) throw invalidMembers(problems);
      if (body) variables[body.variable] = merge(variables[body.variable] as object | undefined, input);
    },
  };
}

function toInput(
  raw: RawBody | null,
  required: boolean,
  readJson: InputReader,
  readForm: InputReader,
  problems: FieldProblem[],
): Record<string, unknown> {
  if (raw?.mediaType === formType) return readForm(readQuery(toText(raw.bytes)), problems);
  if (raw?.value !== undefined) return readJson(raw.value, problems);
  if (raw && raw.bytes.length > 0) return readJson(parseJson(toText(raw.bytes)), problems);
  if (required) throw new Refusal('invalid_json', 'The body is missing.');
  return readJson({}, problems);
}

/**
 * Returns the members that the response has but the input lacks: a client that sends a record back learns which members
 * are read-only.
 */
function readOnlyMembers({ route, body, result }: RouteBinding): Set<string> {
  if (!body || !namesReadOnly(route)) return new Set();
  const input = body.type.getFields();
  const shownMembers = result?.shape?.variants.flatMap(({ fields }) => fields.map(({ key }) => key)) ?? [];
  return new Set(shownMembers.filter((key) => !Object.hasOwn(input, key)));
}

/**
 * Compiles a form. It has texts only: members are scalars, enums or comma-separated lists, and an empty value counts as
 * absent (RFC 6749, 3.2).
 */
export function compileForm({ route, body }: RouteBinding): InputReader {
  const restName = (name: string) => (route.snakeCase ? toSnakeCase(name) : name);
  const members = new Map(
    (body?.members ?? []).map(({ name, type }) => [restName(name), { name, type: getNullableType(type) }]),
  );
  const readJson = compileInput(body?.members ?? [], {
    snakeCase: route.snakeCase,
    readOnly: new Set(),
    optional: new Set(route.queryMembers),
  });
  return (form, problems) => {
    const json: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
    for (const [name, texts] of form as Map<string, string[]>) {
      const [text = ''] = texts;
      if (texts.length > 1)
        throw new Refusal('malformed_request', `"${shown(name)}" appears more than once in the form.`);
      if (text !== '') json[name] = formValue(members.get(name)?.type, text);
    }
    return readJson(json, problems);
  };
}

/** Parses JSON in a form value. Returns the text itself if it is not JSON, which the validation then refuses. */
function formValue(type: GraphQLInputType | undefined, text: string): unknown {
  if (!type) return text;
  if (isListType(type)) {
    const itemType: GraphQLInputType = getNullableType(type.ofType);
    return text.split(',').map((item) => formValue(itemType, item));
  }
  const value = compileText(type)(text);
  return typeof value === 'number' || typeof value === 'boolean' ? value : text;
}

function noteMissing(
  { body }: RouteBinding,
  name: string,
  input: Record<string, unknown>,
  variables: Variables,
  problems: FieldProblem[],
): void {
  const member = body?.members.find((candidate) => candidate.name === name);
  const stated = variables[body?.variable ?? ''] as Record<string, unknown> | undefined;
  if (!member || Object.hasOwn(input, name) || (stated && Object.hasOwn(stated, name))) return;
  if (String(member.type).endsWith('!') && member.defaultValue === undefined) {
    problems.push({ pointer: `#/${name}`, code: 'validation_failed', detail: `"${name}" is required.` });
  }
}

/**
 * Merges the values of path, headers and query with the body. Only query members can be in both, and must then be
 * equal.
 */
function merge(stated: object | undefined, input: Record<string, unknown>): Record<string, unknown> {
  if (stated === undefined) return input;
  for (const [name, value] of Object.entries(stated) as [string, unknown][]) {
    if (Object.hasOwn(input, name) && JSON.stringify(input[name]) !== JSON.stringify(value)) {
      throw new Refusal('malformed_request', `"${name}" has different values in the query and in the body.`);
    }
    input[name] = value;
  }
  return input;
}
