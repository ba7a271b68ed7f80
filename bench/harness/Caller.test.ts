import { Pool } from 'undici';
import { goodPassword as password } from '../../test/support/people/tokenEndpoint.ts';
import { product } from '../../test/support/product.ts';
import { Caller } from './Caller.ts';
import { send } from './send.ts';

const { stack, neighbour } = product();
const minute = 60_000;

test('a benchmark caller that runs for 15 minutes is never refused and signs in again only when its token is about to expire', async () => {
  // The client resolves no name of an installation.
  const host = '127.0.0.1';
  const anna = await (await neighbour({ hosts: [host] })).user({ password });
  const url = `http://${host}:${(await stack.serve()).port}`;
  const pool = new Pool(url);
  let passedMs = 0;
  const caller = new Caller(url, anna.email, password, () => passedMs);
  const tokens = new Set<string>();
  for (; passedMs <= 15 * minute; passedMs += minute) {
    const me = { method: 'GET', path: '/api/v1/me', as: caller } as const;
    const [first, second] = await Promise.all([send(pool, me), send(pool, me)]);
    expect([first.status, second.status, JSON.parse(first.text).id]).toEqual([200, 200, anna.id]);
    tokens.add(await caller.authorization());
    stack.advance(minute);
  }
  expect(tokens.size).toBe(4);
  await pool.close();
});
