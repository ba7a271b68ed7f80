import { scoped } from '../../../platform/installation/scoped.ts';
import { inTransaction } from '../../../platform/mongo/inTransaction.ts';
import type {
  ErasedUser,
  ExportPart,
  ExportSubject,
  PersonalData,
} from '../../kernel/personal-data/PersonalData.ts';
import { readAll } from '../../kernel/personal-data/readAll.ts';
import { toReadable } from '../../kernel/personal-data/toReadable.ts';
import { type BatchChanges, changeListings } from './lifecycle/changeListings.ts';
import { ListingModel, type ListingRecord } from './record/model.ts';

const listings: ExportPart = {
  file: 'listings.json',
  title: 'Listings',
  description:
    'Your private listings in every state, drafts included. The folder "listings" has their texts.',
  collections: ['listings'],
  async *records(subject) {
    for await (const listing of listingsOf(subject)) yield toReadable(listing);
  },
  async *texts(subject) {
    for await (const { _id, title, description } of listingsOf(subject)) {
      yield { path: `listings/${_id}.md`, text: `# ${title ?? ''}\n\n${description ?? ''}\n` };
    }
  },
};

function listingsOf({ installationId, user }: ExportSubject): AsyncGenerator<ListingRecord> {
  return readAll(scoped(ListingModel, installationId), { 'owner.id': user._id }, 'createdAt');
}

const batchSize = 100;

/** A listing without any of its texts and data. */
const nothingSaid: BatchChanges = {
  state: 'archived',
  stateReason: null,
  title: null,
  description: null,
  attributes: {},
  location: null,
  contact: { showPhone: false, assigneeUserId: null },
  published: null,
  slug: null,
  reservation: null,
  words: [],
};

/** Archives private listings immediately; only category and price remain. */
async function erase({ platform, installationId, userId }: ErasedUser): Promise<void> {
  const listings = scoped(ListingModel, installationId);
  const left = {
    'owner.id': userId,
    $or: [
      { state: { $ne: 'archived' as const } },
      { title: { $ne: null } },
      { description: { $ne: null } },
      { location: { $ne: null } },
    ],
  };
  const findBatch = () =>
    listings.find(left, { projection: { _id: 1 }, sort: { createdAt: -1, _id: -1 }, limit: batchSize });
  for (let batch = await findBatch(); batch.length > 0; batch = await findBatch()) {
    const ids = batch.map(({ _id }) => _id);
    const at = new Date(platform.now());
    await inTransaction((session) =>
      changeListings({ installationId, ids, at, session }, nothingSaid, {
        clears: { stockNumber: 1 },
        gone: true,
      }),
    );
  }
}

export const personalData: PersonalData = { exports: [listings], erase };
