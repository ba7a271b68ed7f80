import { getNamedType, isListType } from 'graphql';
import type { Route } from '../route/Route.ts';
import {
  type BodyBinding,
  maxPageSize,
  type ParameterBinding,
  type RouteBinding,
} from '../route/RouteBinding.ts';
import { exampleOf } from './exampleOf.ts';
import { inputSchema, membersSchema } from './inputSchema.ts';
import { type Components, described, type JsonSchema, refTo } from './JsonSchema.ts';
import type { RecordedCall } from './RecordedCall.ts';
import type { Part } from './responsesOf.ts';

/** Returns the parameters of path, query and headers, with examples from the recorded call. */
export function parametersOf(binding: RouteBinding, components: Components, recorded?: RecordedCall): Part[] {
  const { route, parameters, ifMatch, idempotencyKey, acceptLanguage } = binding;
  const own = parameters.map((parameter) => ({
    ...parameterOf(binding, parameter, components),
    ...shownValue(parameter, recorded),
  }));
  const headers: [string, boolean][] = [];
  if (ifMatch) headers.push(['If-Match', ifMatch.required]);
  if (route.etag && route.method === 'GET') headers.push(['If-None-Match', false]);
  if (idempotencyKey) headers.push(['Idempotency-Key', idempotencyKey.required]);
  if (route.stream) headers.push(['Last-Event-ID', false]);
  if (acceptLanguage) headers.push(['Accept-Language', acceptLanguage.required]);
  return [
    ...own,
    ...(route.formatParameter ? [formatParameter] : []),
    ...headers.map(([name, required]) =>
      required
        ? {
            name,
            in: 'header',
            required,
            description: headerWords[name],
            schema: { type: 'string' },
            ...exampleIf(recorded?.headers[name.toLowerCase()]),
          }
        : { $ref: `#/components/parameters/${name}` },
    ),
  ];
}

/** Returns the value of a parameter in a recorded call, in the format of its schema. */
function shownValue({ name, in: place, style, type }: ParameterBinding, recorded?: RecordedCall): Part {
  const texts = (place === 'path' ? recorded?.path : recorded?.query) ?? {};
  if (style === 'prefix') {
    const members = Object.entries(texts).filter(([key]) => key.startsWith(name));
    return exampleIf(members.length > 0 ? Object.fromEntries(members) : undefined);
  }
  const text = texts[name];
  if (text === undefined) return {};
  return exampleIf(isListType(type) ? text.split(',') : toJson(text, getNamedType(type).name));
}

function toJson(text: string, typeName: string): unknown {
  return ['Int', 'Float', 'Boolean'].includes(typeName) ? JSON.parse(text) : text;
}

function exampleIf(example: unknown): Part {
  return example === undefined ? {} : { example };
}

const formatParameter: Part = {
  name: 'format',
  in: 'query',
  description: 'Format of the response, which takes precedence over `Accept`.',
  schema: { type: 'string', enum: ['json', 'csv'] },
};

/** Descriptions of request headers that are bound to an operation. */
export const headerWords: Readonly<Record<string, string>> = {
  'If-Match':
    'Tag of the version that the change applies to. Another version returns 412. `*` only requires that the record exists.',
  'If-None-Match': 'Tags of representations that the client has. Returns 304 if one of them is current.',
  'Idempotency-Key':
    '1 to 255 visible ASCII characters. A repetition with the same key and request returns the first response, for 24 hours.',
  'Last-Event-ID': 'Id of the last received event. The stream continues after it.',
  'Accept-Language':
    'Languages of the reader in order of preference (RFC 9110, 12.5.4). Only the first 1,000 characters are used.',
};

function parameterOf(
  { field, paging }: RouteBinding,
  parameter: ParameterBinding,
  components: Components,
): Part {
  const { name, in: place, style, required, target } = parameter;
  const isList = style === 'commas' || style === 'repetition';
  const description = parameter.description ?? argumentWords(field.args, target);
  if (style === 'prefix') return prefixParameter(parameter, description);
  const schema = schemaOf(
    parameter,
    components,
    paging?.size.name === name ? paging.size.defaultValue : undefined,
  );
  return {
    name,
    in: place,
    ...(required ? { required } : {}),
    ...(description ? { description } : {}),
    ...(parameter.deprecationReason ? { deprecated: true } : {}),
    schema: isList ? { ...schema, minItems: 1 } : schema,
    ...(isList ? { style: 'form', explode: style === 'repetition' } : {}),
  };
}

function schemaOf(
  { type, defaultValue }: ParameterBinding,
  components: Components,
  size: unknown,
): JsonSchema {
  const { anyOf, ...schema } = inputSchema(type, components);
  const plain = anyOf?.[0] ?? withoutNull(schema);
  if (typeof size === 'number') return { ...plain, minimum: 1, maximum: maxPageSize, default: size };
  return typeof defaultValue === 'number' || typeof defaultValue === 'boolean'
    ? { ...plain, default: defaultValue }
    : plain;
}

/** Returns the schema without null, because a parameter is either present or absent. */
function withoutNull(schema: JsonSchema): JsonSchema {
  const [type] = Array.isArray(schema.type) ? schema.type : [schema.type];
  return type === undefined ? schema : { ...schema, type };
}

/**
 * Returns a prefix parameter. Parameters with one prefix are the members of one object, each as a separate parameter.
 */
function prefixParameter({ name }: ParameterBinding, description: string | null | undefined): Part {
  const pattern = `^${name.replaceAll('.', '\\.')}`;
  return {
    name: `${name}*`,
    in: 'query',
    description:
      `${description ?? ''} Written as \`${name}name=a,b\` or \`${name}name.operator=value\`.`.trim(),
    style: 'form',
    explode: true,
    schema: {
      type: 'object',
      patternProperties: { [pattern]: { type: 'string' } },
      additionalProperties: false,
    },
  };
}

function argumentWords(
  args: readonly { name: string; description?: string | null | undefined }[],
  [variable]: readonly string[],
): string | null | undefined {
  return args.find(({ name }) => name === variable)?.description;
}

/** Returns the schema of the body, undefined if it has no members. */
export function requestSchema({ route, body }: RouteBinding, components: Components): JsonSchema | undefined {
  if (!body || body.insteadOfQuery || body.members.length === 0) return undefined;
  const optional = new Set(route.queryMembers);
  return described(membersSchema(body.members, components, route.snakeCase, optional), bodyWords(body));
}

function bodyWords({ type }: BodyBinding): string | null | undefined {
  return type.description;
}

/**
 * Returns the schema of a form. The part of the file states name and type. The file is last, because its bytes are not
 * buffered.
 */
function formSchema({ properties = {}, required = [], ...schema }: JsonSchema): JsonSchema {
  const stated = new Set(['filename', 'contentType']);
  return {
    ...schema,
    properties: {
      ...properties,
      file: {
        type: 'string',
        format: 'binary',
        description: 'The file. It must be the last part of the form.',
      },
    },
    required: [...required.filter((name) => !stated.has(name)), 'file'],
  };
}

/** Names the schema of a body with several media types, because generators create one class for each unnamed schema. */
function namedBody(
  schema: JsonSchema,
  { operationName }: Route,
  ending: 'Body' | 'Form',
  components: Components,
): JsonSchema {
  const name = `${operationName.charAt(0).toUpperCase()}${operationName.slice(1)}${ending}`;
  components[name] = schema;
  return refTo(name);
}

/** Returns the request body, in every media type that the route accepts. */
export function requestBodyOf(
  binding: RouteBinding,
  components: Components,
  recorded?: RecordedCall,
): Part | undefined {
  const { route, body } = binding;
  const schema = requestSchema(binding, components);
  if (!schema || !body) return undefined;
  const hasFile = route.upload !== undefined || route.fileBody !== undefined;
  const isNamed = route.method === 'PATCH' || route.form || hasFile;
  const shown = isNamed ? namedBody(schema, route, 'Body', components) : schema;
  const media = { schema: shown, example: recorded?.body ?? exampleOf(schema, components) };
  const types = ['application/json'];
  if (route.method === 'PATCH') types.push('application/merge-patch+json');
  const content: Part = Object.fromEntries(types.map((type) => [type, media]));
  for (const type of route.fileBody?.types ?? []) content[type] = { schema: { type: 'string' } };
  if (route.form) content['application/x-www-form-urlencoded'] = { schema: shown };
  if (hasFile)
    content['multipart/form-data'] = { schema: namedBody(formSchema(schema), route, 'Form', components) };
  return { required: body.required, content };
}
