import { product } from '../product.ts';
import { openHttpClient } from './openHttpClient.ts';

const { stack } = product();

/** Blocks the event loop, as on a busy machine. */
const stall = (ms: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

test('a request on an idle connection is answered after the test process was blocked for 6 s', async () => {
  const client = openHttpClient(await stack.port());
  expect(await client.send({ path: '/api/v1/health' })).toMatchObject({ status: 200 });
  stall(6000);
  expect(await client.send({ path: '/api/v1/health' })).toMatchObject({ status: 200 });
  client.close();
});
