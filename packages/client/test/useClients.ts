import { product } from '../../../test/support/product.ts';
import { type ClientOptions, createClient } from '../src/client.ts';
import { type Door, openDoor } from './openDoor.ts';

export const password = 'plum-tractor-9-violin';

/** Opens the product for this file, as `product` does, with clients of the file's installation. */
export function useClients() {
  const world = product();
  /** All requests that a client has sent in this test. */
  const sent: Request[] = [];
  let door: Door;
  beforeAll(async () => {
    door = await openDoor(await world.stack.port(), world.market.installation.hosts[0]);
  });
  afterAll(() => door.close());
  beforeEach(() => {
    sent.length = 0;
  });
  const client = ({ fetch = globalThis.fetch, ...more }: ClientOptions = {}) =>
    createClient({
      baseUrl: door.url,
      retry: { baseMs: 20 },
      ...more,
      fetch: (request) => {
        sent.push(request.clone());
        return fetch(request);
      },
    });
  return {
    world,
    shop: world.market,
    sent,
    url: () => door.url,
    client,
    /** Returns a client of a new user who has signed in by password. */
    async signedIn(options?: ClientOptions) {
      const { email } = await world.market.user({ password });
      const opened = client(options);
      await opened.session.signIn({ username: email, password });
      return opened;
    },
  };
}
