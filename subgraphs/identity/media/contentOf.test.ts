import { product } from '../../../test/support/product.ts';
import { type SeededDealer } from '../../../test/support/seed.ts';
import { storeMedia } from '../../../test/support/storeMedia.ts';
import { EventModel } from '../../platform/events/model.ts';
import { toObjectContent } from '../../platform/events/toObjectContent.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import { inTransaction } from '../../platform/mongo/inTransaction.ts';
import { MediaModel, type MediaRecord } from './model.ts';
import { setMediaUsage } from './setMediaUsage.ts';

const world = product();
const { market } = world;
let garage: SeededDealer;

beforeAll(async () => {
  garage = await market.dealer();
});

const store = (changes: Partial<MediaRecord> = {}) =>
  storeMedia(market.installation.id, { type: 'dealer', id: garage.id }, { altText: 'A red car', ...changes });
/** The last thing that was told of a file. */
async function told(id: string) {
  await world.stack.runJob('identity.relay');
  return EventModel.findOne({ 'object.id': id }).sort({ position: -1 }).lean().exec();
}
/** What another subgraph is answered about it. */
async function answered(id: string) {
  const source = `query ($ids: [_Any!]!) { _entities(representations: $ids) { ... on Media {
    ownerId viewerCanRead content { languageTag visibility url slug title html fields } } } }`;
  const asked = { as: garage.owner, installation: market.installation };
  const { data, errors } = await world.stack.execute(source, { ids: [{ __typename: 'Media', id }] }, asked);
  expect(errors).toBeUndefined();
  return data?._entities[0];
}
const use = (id: string, before: string[], after: string[]) =>
  inTransaction((session) =>
    setMediaUsage(
      { installationId: market.installation.id, platform: world.stack.platform },
      { type: 'listing', id },
      { before, after },
      session,
    ),
  );

test('what is told of a picture is what its owner answers: its words, its digests, its visibility', async () => {
  for (const changes of [{}, { altText: null }, { usage: [{ type: 'listing' as const, id: 'lst_1' }] }]) {
    const id = await store(changes);
    const { ownerId, content } = await answered(id);
    expect(content.fields).toEqual({ altText: changes.altText === null ? '' : 'A red car' });
    expect((await told(id))?.payload).toEqual(toObjectContent(ownerId, content));
    expect(content.visibility).toBe('usage' in changes ? 'PUBLIC' : 'PRIVATE');
  }
});

test('a picture becomes visible with the first thing that shows it, and is hidden with the last one', async () => {
  const id = await store();
  const listing = await garage.listing();
  await use(listing.id, [], [id]);
  expect((await told(id))?.payload).toMatchObject({ visibility: 'PUBLIC' });
  await use(listing.id, [id], []);
  expect((await told(id))?.payload).toMatchObject({ visibility: 'PRIVATE' });
});

test('of papers and of what is deleted nobody is told a word', async () => {
  const paper = await store({ purpose: 'verification', kind: 'document' });
  expect(await told(paper)).toMatchObject({ type: 'object.created', payload: null });
  expect(await answered(paper)).toMatchObject({ viewerCanRead: true, content: null });
  const gone = await store();
  await told(gone);
  await scoped(MediaModel, market.installation.id).findOneAndUpdate(
    { _id: gone },
    {
      $set: { state: 'deleted' },
      $inc: { version: 1 },
      $push: { outbox: { id: 'x', at: new Date(), type: 'object.updated' } },
    },
  );
  expect((await told(gone))?.payload).toBeNull();
});
