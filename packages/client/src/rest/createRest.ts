import createOpenapiClient, { type Client } from 'openapi-fetch';
import type { Send } from '../transport/createSend.ts';
import { keyedRoutes } from './keyedRoutes.generated.ts';
import type { paths } from './paths.generated.ts';

/** The REST style: `rest.GET('/api/v1/listings/{listingId}', { params: { path: { listingId } } })`. */
export type Rest = Client<paths>;

const keyed: ReadonlySet<string> = new Set(keyedRoutes.split(' '));

/**
 * Returns all routes by `openapi-fetch`. A write that accepts an idempotency key gets one, so that it can be repeated.
 */
export function createRest(send: Send, baseUrl: string): Rest {
  const rest = createOpenapiClient<paths>({ baseUrl, fetch: (request) => send(request) });
  rest.use({
    onRequest({ request, schemaPath }) {
      if (keyed.has(`${request.method}:${schemaPath}`) && !request.headers.has('idempotency-key'))
        request.headers.set('idempotency-key', crypto.randomUUID());
    },
  });
  return rest;
}
