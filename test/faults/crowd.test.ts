import { Agent, request } from 'node:http';
import { product } from '../support/product.ts';
import type { SeededUser } from '../support/seed.ts';

// A stack of its own, so that its router has executed nothing.
const { stack, market } = product({});
let user: SeededUser;
let port: number;
beforeAll(async () => {
  port = await stack.port();
  user = await market.user();
});

/** Sends `GET /api/v1/me` 200 times at once, each on a connection of its own; counts the answers by status. */
async function sendAtOnce(): Promise<Record<string, number>> {
  const agent = new Agent({ maxSockets: Number.POSITIVE_INFINITY });
  const [host = ''] = market.installation.hosts;
  const headers = { host, authorization: `Bearer ${user.token}` };
  const one = (): Promise<number> =>
    new Promise((answered, failed) => {
      request({ host: '127.0.0.1', port, agent, path: '/api/v1/me', headers }, (response) => {
        response.resume().on('end', () => answered(response.statusCode ?? 0));
      })
        .on('error', failed)
        .end();
    });
  const statuses: Record<string, number> = {};
  for (const status of await Promise.all(Array.from({ length: 200 }, one)))
    statuses[status] = (statuses[status] ?? 0) + 1;
  agent.destroy();
  return statuses;
}

test('200 requests that arrive at once are answered by a cold router, and by a warm one', async () => {
  expect(await sendAtOnce()).toEqual({ 200: 200 });
  expect(await sendAtOnce()).toEqual({ 200: 200 });
});
