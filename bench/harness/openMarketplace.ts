import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Pool } from 'undici';
import type { Program } from '../../test/support/stack/startProgram.ts';
import { Caller } from './Caller.ts';
import { documents } from './loads.ts';
import type { ProgramGroup } from './programs.ts';
import { sendOk, sendWhenReady } from './send.ts';

/** The demonstration in its own database, with the product in one process. */
export interface Marketplace {
  /** Environment variables of every process of the deployment. */
  readonly shared: Readonly<
    Record<'MONGODB_URI' | 'DEMO_PASSWORD' | 'ISSUER' | 'TRIGATE_SECRET' | 'ROUTER_SECRET', string> &
      Record<string, string>
  >;
  readonly database: Program;
  readonly product: Program;
  /** The dealer of the demonstration, with tokens of `product`. */
  readonly caller: Caller;
  readonly installationId: string;
  readonly dealerId: string;
  /** A car of the dealer, with an analysis and translations. */
  readonly listingId: string;
  /**
   * Returns a caller for a user of the demonstration.
   *
   * @param person as in `editor`
   * @param at the program that issues the tokens; `product` by default
   */
  signIn(person: string, at?: Program): Caller;
  /** Stops the product; a shared one continues. */
  stop(): Promise<unknown>;
  /** Restarts the product on the same data; a shared one continues instead. */
  restart(own?: Readonly<Record<string, string>>): Promise<Program>;
}

const password = 'bench-password-1';

/**
 * Starts the embedded database in a separate process, so that its CPU is not counted as the product's, and the product
 * with the demonstration's data. Rate limits are off.
 *
 * @param own further environment variables of the product
 */
export async function openMarketplace(
  { start, dataDir }: ProgramGroup,
  own: Readonly<Record<string, string>> = {},
): Promise<Marketplace> {
  const operations = path.join(dataDir, 'operations.json');
  await writeFile(operations, JSON.stringify(documents));
  const database = await start('database', 'bin/database.ts');
  const uri = new URL(database.ready.replace('MONGODB_URI=', ''));
  uri.pathname = '/trigate';
  const shared = {
    MONGODB_URI: uri.href,
    MIGRATE_ON_START: 'on',
    DEMO_PASSWORD: password,
    DEMO_SAMPLES: 'off',
    ISSUER: 'http://localhost:4000',
    RATE_LIMITS: 'off',
    ...(await keepSecrets(dataDir)),
    REGISTERED_OPERATIONS: operations,
    PORT: '0',
  };
  const startProduct = (environment: Readonly<Record<string, string>>) =>
    start('product', 'bench/programs/product.ts', { ...shared, ...environment });
  const product = await startProduct(own);
  const signIn = (person: string, { url } = product) => new Caller(url, `${person}@demo.example`, password);
  const caller = signIn('dealer');
  const ids = await findIds(product, caller);
  let running = product;
  const stop = () => running.stop();
  const restart = async (environment = {}): Promise<Program> => {
    await stop();
    running = await startProduct(environment);
    return running;
  };
  return { shared, database, product, caller, signIn, stop, restart, ...ids };
}

/** Returns the secrets of this data, which the first run of a folder draws. Keys in the database are encrypted with them. */
async function keepSecrets(dataDir: string): Promise<Record<'TRIGATE_SECRET' | 'ROUTER_SECRET', string>> {
  const file = path.join(dataDir, 'secrets.json');
  const stored = await readFile(file, 'utf8').catch(() => null);
  if (stored !== null) return JSON.parse(stored);
  const drawn = {
    TRIGATE_SECRET: randomBytes(32).toString('base64url'),
    ROUTER_SECRET: randomBytes(36).toString('base64'),
  };
  await writeFile(file, JSON.stringify(drawn), { mode: 0o600 });
  return drawn;
}

async function findIds({ url }: Program, as: Caller) {
  const pool = new Pool(url);
  const read = async <T>(path: string): Promise<T> =>
    JSON.parse((await sendOk(pool, { method: 'GET', path, as })).text) as T;
  const { installation, dealerMemberships } = await read<{
    installation: { id: string };
    dealerMemberships: { dealerId: string }[];
  }>('/api/v1/me');
  const { data } = await read<{ data: { id: string }[] }>('/api/v1/listings?stockNumber=CAR-0001');
  // The catalog is read in the background of a start.
  await sendWhenReady(pool, { method: 'GET', path: '/api/v1/catalog/listings?limit=1' });
  await pool.close();
  const [car, membership] = [data[0], dealerMemberships[0]];
  if (!car || !membership) throw new Error('The demonstration has no dealer, or not the car CAR-0001.');
  return { installationId: installation.id, dealerId: membership.dealerId, listingId: car.id };
}
