import { storeMedia } from '../../../../test/support/people/storeMedia.ts';
import { perFile, product } from '../../../../test/support/product.ts';
import { EventModel } from '../../../platform/events/model.ts';
import { toObjectContent } from '../../../platform/events/toObjectContent.ts';
import { inTransaction } from '../../../platform/mongo/inTransaction.ts';
import { MediaModel, type MediaRecord } from '../model.ts';
import { setMediaUsage } from '../setMediaUsage.ts';

const { market, stack } = product();
const garage = perFile(() => market.dealer());

const store = (changes: Partial<MediaRecord> = {}) =>
  storeMedia(market.installation.id, { type: 'dealer', id: garage.id }, { altText: 'A red car', ...changes });
/** The last event about a file. */
async function lastEvent(id: string) {
  await stack.runJob('identity.relay');
  return EventModel.findOne({ 'object.id': id }).sort({ position: -1 }).lean().exec();
}
/** The file as another subgraph reads it. */
async function askFor(id: string) {
  const source = `query ($ids: [_Any!]!) { _entities(representations: $ids) { ... on Media {
    ownerId viewerCanRead content { languageTag visibility url slug title html fields } } } }`;
  const call = { as: garage.owner, installation: market.installation };
  const { data } = await stack.execute(source, { ids: [{ __typename: 'Media', id }] }, call);
  return data?._entities[0];
}

test('an event about a picture contains the content that other subgraphs read', async () => {
  for (const changes of [{}, { altText: null }, { usage: [{ type: 'listing' as const, id: 'lst_1' }] }]) {
    const id = await store(changes);
    const { ownerId, content } = await askFor(id);
    expect(content.fields).toEqual({ altText: changes.altText === null ? '' : 'A red car' });
    expect((await lastEvent(id))?.payload).toEqual(toObjectContent(ownerId, content));
    expect(content.visibility).toBe('usage' in changes ? 'PUBLIC' : 'PRIVATE');
  }
});

test('a picture is public from its first use to its last one', async () => {
  const id = await store();
  const listing = { type: 'listing', id: (await garage.listing()).id } as const;
  const place = { installationId: market.installation.id, platform: stack.platform };
  const use = (before: string[], after: string[]) =>
    inTransaction((session) => setMediaUsage(place, listing, { before, after }, session));
  await use([], [id]);
  expect((await lastEvent(id))?.payload).toMatchObject({ visibility: 'PUBLIC' });
  await use([id], []);
  expect((await lastEvent(id))?.payload).toMatchObject({ visibility: 'PRIVATE' });
});

test('events about verification documents and deleted files have no content', async () => {
  const paper = await store({ purpose: 'verification', kind: 'document' });
  expect(await lastEvent(paper)).toMatchObject({ type: 'object.created', payload: null });
  expect(await askFor(paper)).toMatchObject({ viewerCanRead: true, content: null });
  const gone = await store();
  await lastEvent(gone);
  const event = { id: 'x', at: new Date(), type: 'object.updated' } as const;
  await market
    .records(MediaModel)
    .findOneAndUpdate(
      { _id: gone },
      { $set: { state: 'deleted' }, $inc: { version: 1 }, $push: { outbox: event } },
    );
  expect((await lastEvent(gone))?.payload).toBeNull();
});
