import { openTestApp, type TestApp } from '../../../test/support/openTestApp.ts';
import { type SeededInstallation, seed } from '../../../test/support/seed.ts';
import { type ClientOptions, createClient, type TrigateClient } from '../src/client.ts';

export const password = 'plum-tractor-9-violin';

/** The product with people in it, and clients of it. */
export interface Clients {
  app: TestApp;
  shop: SeededInstallation;
  url: string;
  /** Every request that a client has sent since this was emptied. */
  sent: Request[];
  client(options?: ClientOptions): TrigateClient;
  /** A client of a new user who has signed in by password. */
  signedIn(options?: ClientOptions): Promise<TrigateClient>;
}

export async function openClients(options: Parameters<typeof openTestApp>[0] = {}): Promise<Clients> {
  const app = await openTestApp(options);
  const shop = await seed(app.stack).in(app.stack.demo);
  const url = `http://127.0.0.1:${app.port}`;
  const sent: Request[] = [];
  const client = ({ fetch = globalThis.fetch, ...more }: ClientOptions = {}) =>
    createClient({
      baseUrl: url,
      retry: { baseMs: 20 },
      ...more,
      fetch: (request) => {
        sent.push(request.clone());
        request.headers.set('host', 'demo.localhost');
        return fetch(request);
      },
    });
  return {
    app,
    shop,
    url,
    sent,
    client,
    async signedIn(more) {
      const user = await shop.user({ password });
      const made = client(more);
      await made.session.signIn({ username: user.email, password });
      return made;
    },
  };
}
