import createClient from 'openapi-fetch';
import { dataOf } from '../src/rest/dataOf.ts';
import type { paths } from '../src/rest/paths.generated.ts';
import type { Journey } from './Journey.ts';

/** Runs the journey by `openapi-fetch` alone, with the types that `openapi-typescript` generates from the contract. */
export function openapiFetchJourney(baseUrl: string): Journey {
  const client = createClient<paths>({ baseUrl });
  const as = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });
  return {
    async signIn(username, password) {
      const body = { grant_type: 'password', username, password };
      return (await dataOf(client.POST('/api/v1/auth/token', { body }))).access_token;
    },
    createListing: (token, body) => dataOf(client.POST('/api/v1/listings', { ...as(token), body })),
    publishListing: (token, listingId) =>
      dataOf(
        client.POST('/api/v1/listings/{listingId}/publish', {
          ...as(token),
          params: { path: { listingId } },
        }),
      ),
    search: (q) => dataOf(client.GET('/api/v1/catalog/listings', { params: { query: { q, limit: 5 } } })),
    startConversation: (token, body) => dataOf(client.POST('/api/v1/conversations', { ...as(token), body })),
    async analyze(token, id) {
      const body = { object: { type: 'listing' as const, id } };
      const { checks, profile } = await dataOf(
        client.POST('/api/rest/seo-tools/v1/analysis', { ...as(token), body }),
      );
      return { checks: checks.length, profile };
    },
    async link(token, id, language, sourceId) {
      const body = {
        object: { type: 'listing' as const, id, language },
        relatedTo: { type: 'listing' as const, id: sourceId },
      };
      const group = await dataOf(client.POST('/api/rest/translation/v1/relations', { ...as(token), body }));
      return { members: group.members.map((member) => member.object.id) };
    },
    async refusalOf(token, listingId) {
      const path = '/api/v1/listings/{listingId}';
      const { error } = await client.GET(path, { ...as(token), params: { path: { listingId } } });
      return error?.code ?? 'none';
    },
  };
}
