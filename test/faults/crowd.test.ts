import { product } from '../support/product.ts';
import type { SeededUser } from '../support/seed.ts';
import { sendAtOnce } from '../support/sendAtOnce.ts';

// A separate stack, so that its router has executed nothing.
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

test('a router answers 200 concurrent requests as its first ones, and again when it is warm', async () => {
  expect(await send()).toEqual({ 200: 200 });
  expect(await send()).toEqual({ 200: 200 });
});
