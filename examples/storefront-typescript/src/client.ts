import { createClient, webStorage } from '@trigate/client';

/** Address of the service; another one is the parameter `api` of the page. */
const api = new URLSearchParams(location.search).get('api') ?? 'http://localhost:4000';

/** The client of this page. Tokens are stored for all tabs. */
export const client = createClient({
  baseUrl: api,
  clientId: 'storefront-typescript',
  storage: webStorage(),
});
