import { randomBytes } from 'node:crypto';
import type { Program } from '../../test/support/startProgram.ts';
import type { StartProgram } from '../withPrograms.ts';

/** The demonstration in a database of its own, and the product in one process on it. */
export interface Marketplace {
  /** What every process of the deployment is told. */
  shared: Readonly<Record<string, string>>;
  database: Program;
  product: Program;
  /** Of the dealer of the demonstration. */
  headers: { authorization: string };
  installationId: string;
  /** A car with an analysis and translations. */
  listingId: string;
  /** Headers of the same dealer with a new token, of another process if named: one is good for ten minutes. */
  signIn(at?: Program): Promise<{ authorization: string }>;
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
  const uri = new URL(database.ready.replace('MONGODB_URI=', ''));
  uri.pathname = '/trigate';
  const shared = {
    MONGODB_URI: uri.href,
    DEMO_PASSWORD: password,
    ISSUER: 'http://localhost:4000',
    RATE_LIMITS: 'off',
    ROUTER_SECRET: randomBytes(36).toString('base64'),
    PORT: '0',
  };
  console.log('making the demonstration data …');
  const product = await start('product', script, { ...shared, ...own });
  const signInAgain = async ({ url } = product) => ({ authorization: `Bearer ${await signIn(url)}` });
  const headers = await signInAgain();
  const { installation } = await read<{ installation: { id: string } }>(`${product.url}/api/v1/me`, headers);
  const { data } = await read<{ data: { id: string }[] }>(
    `${product.url}/api/v1/listings?stockNumber=CAR-0001`,
    headers,
  );
  return {
    shared,
    database,
    product,
    headers,
    installationId: installation.id,
    listingId: data[0]?.id ?? '',
    signIn: signInAgain,
  };
}

async function signIn(url: string): Promise<string> {
  const body = new URLSearchParams({ grant_type: 'password', username: 'dealer@demo.example', password });
  const response = await fetch(`${url}/api/v1/auth/token`, { method: 'POST', body });
  return ((await response.json()) as { access_token: string }).access_token;
}

async function read<T>(url: string, headers: Record<string, string>): Promise<T> {
  return (await (await fetch(url, { headers })).json()) as T;
}
