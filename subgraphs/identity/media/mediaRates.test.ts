import { openRestStack, type RestStack } from '../../../test/support/openRestStack.ts';
import { seed } from '../../../test/support/seed.ts';
import { buildIdentity } from '../server.ts';

let rest: RestStack;

beforeAll(async () => {
  rest = await openRestStack([buildIdentity], { rateLimits: true });
});
afterAll(() => rest.close());

test('a form with a file is one upload of the sixty in a minute, a declared file and its completion are two', async () => {
  const { token } = await (await seed(rest.stack).in(rest.stack.demo)).user();
  const form = new FormData();
  form.append('purpose', 'avatar');
  form.append('file', new Blob(['bytes'], { type: 'image/jpeg' }), 'me.jpg');
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(`${rest.origin}/api/v1/media`, { method: 'POST', headers, body: form });
  const left = (answer: { headers: Headers }) =>
    /"upload";r=(\d+)/.exec(answer.headers.get('ratelimit') ?? '')?.[1];
  expect([response.status, left(response)]).toEqual([201, '59']);
  const body = { filename: 'me.jpg', contentType: 'image/jpeg', purpose: 'avatar' };
  const declared = await rest.call('POST', '/api/v1/media', { token, body });
  expect(left(declared)).toBe('58');
  const path = `/api/v1/media/${declared.body.id}/complete`;
  expect(left(await rest.call('POST', path, { token }))).toBe('57');
});
