import { openTestApp, type TestApp } from '../../../test/support/openTestApp.ts';
import { type Product, product } from '../../../test/support/product.ts';
import { type SeededInstallation, seed } from '../../../test/support/seed.ts';
import { type ClientOptions, createClient, type TrigateClient } from '../src/client.ts';
import { type Door, openDoor } from './openDoor.ts';

export const password = 'plum-tractor-9-violin';

/** Clients of one installation of the product. */
interface InstallationClients {
  shop: SeededInstallation;
  /** Every request that a client has sent since this was emptied. */
  sent: Request[];
  client(options?: ClientOptions): TrigateClient;
  /** A client of a new user who has signed in by password. */
  signedIn(options?: ClientOptions): Promise<TrigateClient>;
}

/** The product on a database of its own, and clients of its demonstration. */
export interface Clients extends InstallationClients {
  app: TestApp;
}

export async function openClients(): Promise<Clients> {
  const app = await openTestApp();
  const shop = await seed(app.stack).in(app.stack.demo);
  return { app, ...clientsOf(shop, () => `http://127.0.0.1:${app.port}`) };
}

/** Opens the product for this file, as `product` does, with clients of the file's installation. */
export function useClients(): InstallationClients & { world: Product } {
  const world = product();
  let door: Door;
  const clients = clientsOf(world.market, () => door.url);
  beforeAll(async () => {
    door = await openDoor(await world.stack.port(), world.market.installation.hosts[0]);
  });
  afterAll(() => door.close());
  beforeEach(() => {
    clients.sent.length = 0;
  });
  return { world, ...clients };
}

function clientsOf(shop: SeededInstallation, urlOf: () => string): InstallationClients {
  const sent: Request[] = [];
  const client = ({ fetch = globalThis.fetch, ...more }: ClientOptions = {}) =>
    createClient({
      baseUrl: urlOf(),
      retry: { baseMs: 20 },
      ...more,
      fetch: (request) => {
        sent.push(request.clone());
        return fetch(request);
      },
    });
  return {
    shop,
    sent,
    client,
    async signedIn(options) {
      const { email } = await shop.user({ password });
      const opened = client(options);
      await opened.session.signIn({ username: email, password });
      return opened;
    },
  };
}
