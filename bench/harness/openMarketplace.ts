import { randomBytes } from 'node:crypto';
import { Pool } from 'undici';
import type { Program } from '../../test/support/startProgram.ts';
import { Caller } from './Caller.ts';
import { sendOk } from './send.ts';
import type { StartProgram } from './withPrograms.ts';

/** The demonstration in a database of its own, and the product in one process on it. */
export interface Marketplace {
  /** What every process of the deployment is told. */
  readonly shared: Readonly<Record<string, string>>;
  readonly database: Program;
  readonly product: Program;
  /** The dealer of the demonstration, with tokens of `product`. */
  readonly caller: Caller;
  readonly installationId: string;
  readonly dealerId: string;
  /** A car of the dealer, with an analysis and translations. */
  readonly listingId: string;
  /**
   * Somebody of the demonstration.
   *
   * @param person as in `editor`
   * @param at who issues the tokens; default: `product`
   */
  signIn(person: string, at?: Program): Caller;
}

const password = 'bench-password-1';

/**
 * Starts the embedded database in a process of its own, so that its work is not counted as that of whom is measured,
 * and the product with the demonstration's data. Rate limits are off.
 *
 * @param own what the product is told besides
 * @param script what runs in the product's place
 */
export async function openMarketplace(
  start: StartProgram,
  own: Readonly<Record<string, string>> = {},
  script = 'start/main.ts',
): Promise<Marketplace> {
  const database = await start('database', 'start/database.ts');
  const shared = {
    MONGODB_URI: databaseUri(database, 'trigate'),
    DEMO_PASSWORD: password,
    ISSUER: 'http://localhost:4000',
    RATE_LIMITS: 'off',
    ROUTER_SECRET: randomBytes(36).toString('base64'),
    PORT: '0',
  };
  const product = await start('product', script, { ...shared, ...own });
  const signIn = (person: string, { url } = product) => new Caller(url, `${person}@demo.example`, password);
  const caller = signIn('dealer');
  return { shared, database, product, caller, signIn, ...(await findIds(product, caller)) };
}

/** Address of one database of the program that `start/database.ts` is. */
export function databaseUri(program: Program, name: string): string {
  const uri = new URL(program.ready.replace('MONGODB_URI=', ''));
  uri.pathname = `/${name}`;
  return uri.href;
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
  await pool.close();
  const [car, membership] = [data[0], dealerMemberships[0]];
  if (!car || !membership) throw new Error('The demonstration has no dealer, or not the car CAR-0001.');
  return { installationId: installation.id, dealerId: membership.dealerId, listingId: car.id };
}
