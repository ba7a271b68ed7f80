import { type ErrorCode, errorCodes } from '../errorCodes.ts';
import type { RouteBinding } from '../route/RouteBinding.ts';
import { errorsOf } from './errorsOf.ts';
import { exampleOf } from './exampleOf.ts';
import type { Components, JsonSchema } from './JsonSchema.ts';
import { bodySchema } from './outputSchema.ts';
import type { RecordedCall } from './RecordedCall.ts';

/** Part of an OpenAPI document. */
export type Part = Record<string, unknown>;

const statusWords: Readonly<Record<number, string>> = {
  200: 'Done.',
  201: 'Created.',
  202: 'Accepted; processing continues in the background.',
  204: 'Done; the response has no body.',
};

/** Returns all responses of a route: the recorded success, 304, and its errors by status. */
export function responsesOf(binding: RouteBinding, components: Components, recorded?: RecordedCall): Part {
  const { route } = binding;
  const schema = bodySchema(binding, components);
  const statuses = route.created ? [route.status, route.otherwise] : [route.status];
  const responses: Part = Object.fromEntries(
    statuses.map((status) => {
      const answer = recorded?.status === status ? recorded.answer : undefined;
      return [
        status,
        success(
          binding,
          status,
          schema && { schema, example: answer ?? madeUp(binding, schema, components) },
        ),
      ];
    }),
  );
  if (route.etag && route.method === 'GET') {
    responses[304] = {
      description: 'The representation of If-None-Match is current.',
      headers: headersOf(binding, 304),
    };
  }
  for (const [status, codes] of byStatus(errorsOf(binding)))
    responses[status] = problemResponse(status, codes, route.snakeCase);
  return responses;
}

function success(binding: RouteBinding, status: number, media: Part | undefined): Part {
  const description =
    binding.route.created && status === binding.route.otherwise
      ? 'It already existed.'
      : (statusWords[status] ?? 'Done.');
  const headers = headersOf(binding, status);
  if (!media) return { description, headers };
  const csv = binding.route.csv ? { 'text/csv': { schema: { type: 'string' } } } : {};
  const stream = binding.route.stream ? { 'text/event-stream': { schema: { type: 'string' } } } : {};
  return { description, headers, content: { 'application/json': media, ...csv, ...stream } };
}

function madeUp({ route }: RouteBinding, schema: JsonSchema, components: Components): unknown {
  return route.example ?? exampleOf(schema, components);
}

function headersOf({ route, traits, paging, idempotencyKey }: RouteBinding, status: number): Part {
  const names = ['X-Request-Id', 'Cache-Control'];
  if (traits.rateClass) names.push('RateLimit', 'RateLimit-Policy');
  if (route.etag) names.push('ETag');
  if (route.location && (status === 201 || status === 202)) names.push('Location');
  if (paging) names.push('Link');
  if (route.contentLanguage) names.push('Content-Language');
  if (idempotencyKey) names.push('Idempotent-Replayed');
  if (route.refreshCookie.length > 0) names.push('Set-Cookie');
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

function byStatus(codes: ReadonlySet<ErrorCode>): Map<number, ErrorCode[]> {
  const statuses = new Map<number, ErrorCode[]>();
  for (const code of [...codes].sort()) {
    const present = statuses.get(errorCodes[code]) ?? [];
    statuses.set(errorCodes[code], [...present, code]);
  }
  return new Map([...statuses].sort(([a], [b]) => a - b));
}

/**
 * Returns a problem with its possible codes; each is documented at the URL of its type.
 *
 * @param isOauth whether it is also an error of OAuth, which clients can request as JSON
 */
export function problemResponse(status: number, codes: readonly ErrorCode[], isOauth = false): Part {
  const headers = ['X-Request-Id', 'Cache-Control'];
  if (status === 401) headers.push('WWW-Authenticate');
  if (status === 405) headers.push('Allow');
  if (status === 429 || status === 503) headers.push('Retry-After');
  const examples = codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]);
  const media = {
    schema: { $ref: '#/components/schemas/Problem' },
    ...(codes.length > 0 ? { examples: Object.fromEntries(examples) } : {}),
  };
  return {
    description: codes.map((name) => `\`${name}\``).join(', '),
    headers: Object.fromEntries(headers.map((name) => [name, { $ref: `#/components/headers/${name}` }])),
    content: {
      'application/problem+json': media,
      ...(isOauth ? { 'application/json': media } : {}),
    },
    'x-codes': codes,
  };
}

/** Returns one problem for every code that a part of the document uses. */
export function problemExamples(part: Part): Part {
  const text = JSON.stringify(part);
  const codes = (Object.keys(errorCodes) as ErrorCode[]).sort();
  return Object.fromEntries(
    codes
      .filter((code) => text.includes(`"#/components/examples/${code}"`))
      .map((code) => [code, { value: problemExample(errorCodes[code], code) }]),
  );
}

function problemExample(status: number, code: ErrorCode): Part {
  const requestId = '0b9a7c5e-6c1d-4f3e-9a4b-2f6d8c1e0a35';
  return {
    type: `https://example.com/problems/${code}`,
    title: code.charAt(0).toUpperCase() + code.slice(1).replaceAll('_', ' '),
    status,
    detail: 'The error, and how to correct the request.',
    instance: `urn:uuid:${requestId}`,
    code,
    requestId,
  };
}
