import mongoose from 'mongoose';
import { type ProductOptions, product } from '../support/product.ts';
import { interceptWrites } from '../support/stack/interceptWrites.ts';

/** The error that the embedded database returns while it is restarted. */
const lost = () =>
  new mongoose.mongo.MongoServerError({ code: 91, message: 'the embedded database has stopped' });

afterEach(() => interceptWrites(null));

describe.each<[string, ProductOptions | undefined]>([
  ['in this process', undefined],
  ['in a separate process', { apart: true }],
])('a subgraph %s whose database is lost', (_, options) => {
  const { market, rest, send } = product(options);
  test('answers a write with 503, Retry-After and an unknown outcome, and does not repeat the write', async () => {
    const ada = await market.user();
    let writes = 0;
    interceptWrites((write, run) => {
      if (!write.startsWith('users.')) return run();
      writes += 1;
      return Promise.reject(lost());
    });
    const call = { token: ada.token, body: { displayName: 'Ada' } };
    const answer = await rest('PATCH', '/api/v1/me', call);
    const problem = {
      code: 'unavailable',
      outcome: 'unknown',
      detail: expect.stringContaining('The change may have been made'),
    };
    expect(answer).toBeRefused(503, 'unavailable', problem);
    expect(answer.headers.get('retry-after')).toMatch(/^[15]$/);
    const query = 'mutation { updateMe(input: {displayName: "Ada"}) { me { displayName } } }';
    const { json } = await send({ method: 'POST', path: '/graphql', token: ada.token, body: { query } });
    expect(json.errors).toMatchObject([{ extensions: { code: 'UPSTREAM_UNAVAILABLE', problem } }]);
    expect(writes).toBe(2);
    interceptWrites(null);
    expect((await rest('PATCH', '/api/v1/me', call)).status).toBe(200);
  });
});
