import { product } from '../product.ts';

const { send, market } = product();

test('the server of a test keeps idle connections open, also while a busy machine blocks its client', async () => {
  const { status, headers } = await send({ path: '/api/v1/health' });
  expect(status).toBe(200);
  // Node states a limit in this header unless it is disabled.
  expect(headers['keep-alive']).toBeUndefined();
});

test('a selection of members that only another subgraph has fails the test', async () => {
  const reading = market.visitor.translation({ id: 'trl_1' }, 'id object { ... on Page { title } }');
  await expect(reading).rejects.toThrow('Cannot query field "title" on type "Page".');
});
