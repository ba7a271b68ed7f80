import { errorCodes } from '../errorCodes.ts';
import { describeGuard } from '../guards/readGuard.ts';
import { type AdapterRoute, adapterRoutes, interfaceVersions } from '../route/adapterRoutes.ts';
import { defaultRestRoot, parametersOf as pathParameters, withRestRoot } from '../route/pathTemplate.ts';
import type { InterfaceName } from '../route/Route.ts';
import type { RouteBinding } from '../route/RouteBinding.ts';
import type { Components } from './JsonSchema.ts';
import { callName, type RecordedCall, type RecordedCalls } from './RecordedCall.ts';
import { headerWords, parametersOf, requestBodyOf } from './requestOf.ts';
import { type Part, problemExamples, problemResponse, responsesOf } from './responsesOf.ts';
import { nameComponents } from './shareComponents.ts';
import { summaryOf } from './summaryOf.ts';
import { tagWords } from './tagWords.ts';

const interfaceWords: Readonly<Record<InterfaceName, string>> = {
  A: 'Identity-guarded API',
  B: 'Search-optimization editor API',
  C: 'Translation API',
};

/**
 * Returns the contract of all three interfaces as one OpenAPI 3.1 document, from route documents and schema alone.
 * `info.version` is the release of interface A; each operation names its interface, and `x-interfaces` their versions.
 *
 * @param recorded calls shown as examples; other routes show values derived from their types
 */
export function toOpenApi(bindings: readonly RouteBinding[], recorded: RecordedCalls = {}): Part {
  const schemas: Components = {};
  const paths: Record<string, Part> = {};
  const names = new Set<string>();
  for (const binding of bindings) {
    const { path, method } = binding.route;
    const item = (paths[withRestRoot(path, defaultRestRoot)] ??= {});
    item[method.toLowerCase()] = operationOf(
      binding,
      uniqueName(binding, names),
      schemas,
      recorded[callName(binding.route)],
    );
  }
  for (const [name, adapter] of Object.entries<AdapterRoute>(adapterRoutes)) {
    const item = (paths[withRestRoot(adapter.path, defaultRestRoot)] ??= {});
    item[adapter.method.toLowerCase()] = adapterOperation(name, adapter);
  }
  const named = nameComponents(paths, schemas);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Trigate',
      version: interfaceVersions.A,
      description:
        'Three interfaces over one graph. Every path runs one GraphQL operation. One access token is valid for all of them.',
      contact: { name: 'Operator of this installation' },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    'x-interfaces': Object.fromEntries(
      (['A', 'B', 'C'] as const).map((name) => [
        name,
        { title: interfaceWords[name], version: interfaceVersions[name] },
      ]),
    ),
    servers: [{ url: '/', description: 'Installation of the host name' }],
    security: [{ bearer: [] }],
    tags: tagsOf(bindings),
    paths: sorted(named.paths),
    components: {
      ...fixedComponents(),
      responses: sorted(named.responses),
      examples: problemExamples({ ...named.paths, ...named.responses }),
      schemas: { Problem: problemSchema(), ...sorted(named.schemas) },
    },
  };
}

function operationOf(
  binding: RouteBinding,
  operationId: string,
  schemas: Components,
  recorded: RecordedCall | undefined,
): Part {
  const { route, field, guard, traits, deprecation } = binding;
  const description = field.description ?? '';
  const parameters = parametersOf(binding, schemas, recorded);
  const requestBody = requestBodyOf(binding, schemas, recorded);
  return {
    operationId,
    tags: [route.tag],
    summary: route.summary ?? summaryOf(description),
    ...(description === '' ? {} : { description }),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(requestBody ? { requestBody } : {}),
    responses: responsesOf(binding, schemas, recorded),
    ...securityOf(binding),
    ...(deprecation ? { deprecated: true, 'x-sunset': deprecation.until } : {}),
    'x-interface': route.interface,
    'x-guard': describeGuard(guard),
    'x-graphql-field': route.operationName,
    ...(traits.rateClass ? { 'x-rate-class': traits.rateClass.toLowerCase().replaceAll('_', '-') } : {}),
  };
}

function securityOf({ route, guard }: RouteBinding): Part {
  if (!guard.public) return {};
  if (route.basicClient) return { security: [{}, { client: [] }] };
  return { security: route.ignoreAuthorization ? [] : [{}, { bearer: [] }] };
}

/** Returns the name of the operation, with the method for its second route. */
function uniqueName({ route }: RouteBinding, names: Set<string>): string {
  const { operationName, method, path } = route;
  const candidates = [
    operationName,
    `${operationName}_${method.toLowerCase()}`,
    `${operationName}_${method.toLowerCase()}_${path.replace(/\W+/g, '_')}`,
  ];
  const name = candidates.find((candidate) => !names.has(candidate)) ?? operationName;
  names.add(name);
  return name;
}

function adapterOperation(
  name: string,
  { path, summary, mediaType, tag, ranges, receives, interface: owner }: AdapterRoute,
): Part {
  const parameters = pathParameters(path).map((parameter) => ({
    name: parameter,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
  return {
    operationId: name,
    tags: [tag],
    summary,
    description: `${summary}.`,
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(receives
      ? {
          requestBody: {
            required: true,
            content: { '*/*': { schema: { type: 'string', format: 'binary' } } },
          },
        }
      : {}),
    responses: {
      200: { description: 'Done.', content: { [mediaType]: {} } },
      ...(ranges
        ? {
            206: { description: 'The requested range.', content: { [mediaType]: {} } },
            304: { description: 'The client already has the current representation.' },
          }
        : {}),
      ...(parameters.length > 0 ? { 404: problemResponse(404, ['not_found']) } : {}),
      405: problemResponse(405, ['method_not_allowed']),
      ...(receives
        ? {
            408: problemResponse(408, ['request_timeout']),
            409: problemResponse(409, ['checksum_mismatch']),
            410: problemResponse(410, ['upload_expired']),
            413: problemResponse(413, ['file_too_large', 'payload_too_large']),
            415: problemResponse(415, ['unsupported_media_type']),
            507: problemResponse(507, ['insufficient_storage']),
          }
        : {}),
      ...(ranges ? { 416: problemResponse(416, ['range_not_satisfiable']) } : {}),
    },
    security: [],
    ...(owner ? { 'x-interface': owner } : {}),
    'x-guard': 'public',
  };
}

function tagsOf(bindings: readonly RouteBinding[]): Part[] {
  const tags = new Map<string, InterfaceName | null>();
  for (const { route } of bindings) tags.set(route.tag, tags.get(route.tag) ?? route.interface);
  for (const { tag, interface: owner } of Object.values<AdapterRoute>(adapterRoutes))
    tags.set(tag, tags.get(tag) ?? owner);
  return [...tags]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, owner]) => ({
      name,
      description: tagWords[name] ?? (owner ? interfaceWords[owner] : 'Operation of the service'),
    }));
}

function problemSchema() {
  const text = { type: 'string' };
  return {
    type: 'object',
    description: 'A problem (RFC 9457). Codes may add members of their own.',
    required: ['type', 'title', 'status', 'detail', 'instance', 'code', 'requestId'],
    properties: {
      type: { ...text, format: 'uri-reference', description: 'URL of the documentation of the code.' },
      title: { ...text, description: 'The code in words.' },
      status: { type: 'integer', description: 'The HTTP status.' },
      detail: { ...text, description: 'Explanation of this error, for people.' },
      instance: { ...text, format: 'uri', description: 'This occurrence.' },
      code: { ...text, enum: Object.keys(errorCodes), description: 'Error code, for programs.' },
      requestId: { ...text, description: 'The id of the request, as in `X-Request-Id`.' },
      errors: {
        type: 'array',
        maxItems: 100,
        description: 'Every invalid member of the body.',
        items: {
          type: 'object',
          required: ['pointer', 'code', 'detail'],
          properties: {
            pointer: { ...text, description: 'JSON pointer as a URI fragment, as in `#/price/amount`.' },
            code: { ...text, description: 'Error code of the member, for programs.' },
            detail: { ...text, description: 'Explanation of the error, for people.' },
          },
        },
      },
      parameter: { ...text, description: 'The parameter that is refused, of the query or the path.' },
      error: { ...text, description: 'OAuth error code (RFC 6749, 5.2), on the routes of OAuth.' },
      error_description: { ...text, description: 'The detail for OAuth clients, on the routes of OAuth.' },
      record: {
        type: 'object',
        description: 'The record of an `ownership_required`.',
        properties: {
          type: { ...text, description: 'Type of the record, in words.' },
          id: { ...text, description: 'Id of the record; absent if the request did not state it.' },
        },
      },
      requiredPermission: { ...text, description: 'The missing permission.' },
      retryAfter: { type: 'number', description: 'Seconds to wait before a retry.' },
    },
  };
}

function fixedComponents(): Part {
  const header = (description: string) => ({ description, schema: { type: 'string' } });
  return {
    securitySchemes: {
      bearer: {
        type: 'http',
        scheme: 'bearer',
        bearerFormat: 'JWT',
        description: 'Access token of at most 15 minutes.',
      },
      client: {
        type: 'http',
        scheme: 'basic',
        description: 'Credentials of an API client (RFC 6749, 2.3.1).',
      },
    },
    parameters: Object.fromEntries(
      Object.entries(headerWords).map(([name, description]) => [
        name,
        { name, in: 'header', ...header(description) },
      ]),
    ),
    headers: {
      'X-Request-Id': header('Id of the request: the one that the client sent, or a new one.'),
      'Cache-Control': header('Who may cache the response, and for how long.'),
      ETag: header('Version and digest of the representation, as in `"7-1f2e3d4c"`.'),
      Location: header('URL of the created resource, or with 202 of the one that shows the progress.'),
      Link: header('URL of the next page, `rel="next"`; absent on the last page.'),
      Allow: header('Methods that the path supports.'),
      RateLimit: header('Remaining requests of the rate limit and the seconds until it resets.'),
      'RateLimit-Policy': header('The rate limit that the request was counted against.'),
      'Retry-After': header('Seconds to wait before a retry.'),
      'WWW-Authenticate': header('`Bearer` with the realm, and the error of the token.'),
      'Content-Language': header('Language of the texts, a BCP 47 tag.'),
      'Idempotent-Replayed': header(
        '`true` if this is the stored response of an earlier request with the same key.',
      ),
      'Set-Cookie': header(
        'The refresh token, if `refresh_cookie` was true. Scripts cannot read it (HttpOnly).',
      ),
    },
  };
}

function sorted<Value>(record: Record<string, Value>): Record<string, Value> {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
}
