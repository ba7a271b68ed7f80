import { product } from '../support/product.ts';
import type { Caller, SeededUser } from '../support/seed.ts';
import { perFile } from '../support/stack/lazily.ts';

const { market } = product();

// A client reads a record, changes a member, and sends the whole representation back.

interface Representation {
  readonly path: string;
  readonly by: Caller;
  /** A change that the caller can make. */
  readonly change: object;
}

const seller: SeededUser = perFile(() => market.seller());
const routes: Record<string, () => Promise<Representation>> = {
  'the own account': async () => ({
    path: '/api/v1/me',
    by: await market.user(),
    change: { displayName: 'Grace Hopper' },
  }),
  'a dealer': async () => {
    const dealer = await market.dealer({ owner: seller });
    return { path: `/api/v1/dealers/${dealer.id}`, by: seller, change: { tradeName: 'Garage Two' } };
  },
  'a listing': async () => {
    const { id } = await seller.listing();
    return { path: `/api/v1/listings/${id}`, by: seller, change: { title: 'Volvo 145 estate' } };
  },
  'a conversation': async () => {
    const buyer = await market.user();
    const garage = await market.dealer();
    const { id: listingId } = await garage.listing({ published: true });
    const body = { listingId, text: 'Is it still there?' };
    const started = await buyer.rest('POST', '/api/v1/conversations', { body });
    const { id } = started.body as { id: string };
    return { path: `/api/v1/conversations/${id}`, by: buyer, change: { archived: true } };
  },
};

describe.each(Object.entries(routes))('the representation of %s', (_, open) => {
  test('is accepted as it was read, without a change', async () => {
    const { path, by } = await open();
    const read = await by.rest('GET', path);
    const sent = await by.rest('PATCH', path, { body: read.body });
    // A conversation counts every request for a change as a new version.
    const { version: _version, updatedAt: _time, ...members } = read.body;
    expect([sent.status, sent.body]).toEqual([200, expect.objectContaining(members)]);
  });

  test('is accepted with a change, and the response shows it', async () => {
    const { path, by, change } = await open();
    const read = await by.rest('GET', path);
    const sent = await by.rest('PATCH', path, { body: { ...read.body, ...change } });
    expect(sent.status).toBe(200);
    expect(sent.body).toMatchObject(change);
    expect((await by.rest('GET', path)).body).toMatchObject(change);
  });

  test('is refused by the name of a read-only member that differs', async () => {
    const { path, by } = await open();
    const read = await by.rest('GET', path);
    const sent = await by.rest('PATCH', path, {
      body: { ...read.body, createdAt: '2020-01-01T00:00:00.000Z' },
    });
    expect(sent).toBeRefused(422, 'read_only_field', {
      errors: [expect.objectContaining({ pointer: '#/createdAt' })],
    });
  });
});

test('a representation that is older than the record is refused by its version', async () => {
  const user = await market.user();
  const { body: old } = await user.rest('GET', '/api/v1/me');
  await user.rest('PATCH', '/api/v1/me', { body: { displayName: 'Ada' } });
  const sent = await user.rest('PATCH', '/api/v1/me', { body: { ...old, givenName: 'Ada' } });
  expect(sent).toBeRefused(422, 'read_only_field');
  const errors = (sent.body as { errors: { pointer: string }[] }).errors.map(({ pointer }) => pointer);
  expect(errors).toContain('#/version');
});
