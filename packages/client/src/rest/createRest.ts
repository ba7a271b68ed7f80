import createOpenapiClient, { type Client, createQuerySerializer } from 'openapi-fetch';
import type { Send } from '../transport/createSend.ts';
import { keyedRoutes } from './keyedRoutes.generated.ts';
import type { paths } from './paths.generated.ts';

/** The REST style: `rest.GET('/api/v1/listings/{listingId}', { params: { path: { listingId } } })`. */
export type Rest = Client<paths>;

const keyed: ReadonlySet<string> = new Set(keyedRoutes.split(' '));

/** Lists of the contract are separated by commas, except these, which are repeated. */
const repeatedLists: ReadonlySet<string> = new Set(['objectId']);
const separated = createQuerySerializer({ array: { style: 'form', explode: false } });
const repeated = createQuerySerializer({ array: { style: 'form', explode: true } });

/** Returns a query in the form that the contract states. */
function toQuery(query: Record<string, unknown>): string {
  const parts = Object.entries(query).map(([name, value]) =>
    (repeatedLists.has(name) ? repeated : separated)({ [name]: value }),
  );
  return parts.filter((part) => part !== '').join('&');
}

/**
 * Returns all routes by `openapi-fetch`. A write that accepts an idempotency key gets one, so that it can be repeated.
 */
export function createRest(send: Send, baseUrl: string): Rest {
  const rest = createOpenapiClient<paths>({
    baseUrl,
    fetch: (request) => send(request),
    querySerializer: toQuery,
  });
  rest.use({
    onRequest({ request, schemaPath }) {
      if (keyed.has(`${request.method}:${schemaPath}`) && !request.headers.has('idempotency-key'))
        request.headers.set('idempotency-key', crypto.randomUUID());
    },
  });
  return rest;
}
