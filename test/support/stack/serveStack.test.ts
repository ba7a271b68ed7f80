import { product } from '../product.ts';

const { send } = product();

test('the server of a test keeps idle connections open, also while a busy machine blocks its client', async () => {
  const { status, headers } = await send({ path: '/api/v1/health' });
  expect(status).toBe(200);
  // Node states a limit in this header unless it is disabled.
  expect(headers['keep-alive']).toBeUndefined();
});
