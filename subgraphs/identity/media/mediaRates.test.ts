import { product } from '../../../test/support/product.ts';

const { market } = product({ rateLimits: true });

test('a form is charged as one of sixty uploads a minute, and a declared file with its completion as two', async () => {
  const user = await market.user();
  const form = new FormData();
  form.append('purpose', 'avatar');
  form.append('file', new Blob(['bytes'], { type: 'image/jpeg' }), 'me.jpg');
  const left = ({ headers }: { headers: Headers }) =>
    /"upload";r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1];
  expect(left(await user.rest('POST', '/api/v1/media', { body: form }))).toBe('59');
  const body = { filename: 'me.jpg', contentType: 'image/jpeg', purpose: 'avatar' };
  const declared = await user.rest('POST', '/api/v1/media', { body });
  expect(left(declared)).toBe('58');
  expect(left(await user.rest('POST', `/api/v1/media/${declared.body.id}/complete`))).toBe('57');
});
