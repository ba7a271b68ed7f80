import { product } from '../support/product.ts';
import type { SeededUser } from '../support/seed.ts';
import { sendAtOnce } from '../support/sendAtOnce.ts';

// A stack of its own, so that its router has executed nothing.
const { stack, market } = product({});
let user: SeededUser;
let port: number;
beforeAll(async () => {
  port = await stack.port();
  user = await market.user();
});

const send = () => {
  const [host = ''] = market.installation.hosts;
  return sendAtOnce({ port, headers: { host, authorization: `Bearer ${user.token}` }, count: 200 });
};

test('200 requests that arrive at once are answered by a cold router, and by a warm one', async () => {
  expect(await send()).toEqual({ 200: 200 });
  expect(await send()).toEqual({ 200: 200 });
});
