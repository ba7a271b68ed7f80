import { scoped } from '../../platform/installation/scoped.ts';
import { DealerModel } from '../dealer/model.ts';
import { DealerInvitationModel } from '../dealer-invitation/model.ts';
import { FavoriteModel } from '../favorite/model.ts';
import { ListingModel, type ListingRecord } from '../listing/model.ts';
import { MediaModel, type MediaRecord } from '../media/model.ts';
import { SavedSearchModel } from '../saved-search/model.ts';
import type { ExportPart, ExportSubject } from './ExportPart.ts';
import { readAll } from './readAll.ts';
import { toReadable } from './toReadable.ts';

export const listings: ExportPart = {
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

export const dealerMemberships: ExportPart = {
  file: 'dealer-memberships.json',
  title: 'Dealers',
  description: 'Dealers that you act for, and in which role. Their own data belongs to them.',
  collections: ['dealers'],
  async *records({ installationId, user }) {
    const dealers = scoped(DealerModel, installationId);
    for await (const dealer of readAll(dealers, { 'members.userId': user._id }, '_id')) {
      const { _id, tradeName, members } = dealer;
      const membership = members.find(({ userId }) => userId === user._id);
      yield { dealerId: _id, tradeName, ...toReadable(membership ?? {}) };
    }
  },
};

export const invitations: ExportPart = {
  file: 'invitations.json',
  title: 'Invitations',
  description: 'Invitations to act for a dealer that were sent to your address.',
  collections: ['dealer_invitations'],
  async *records({ installationId, user }) {
    const sent = scoped(DealerInvitationModel, installationId);
    const own = { emailNormalized: user.emailNormalized };
    for await (const invitation of readAll(sent, own, '_id')) {
      // Who invited him is another person's affair, and the token is worth a membership.
      const { invitedBy: _, tokenHash: __, ...shown } = invitation;
      yield toReadable(shown);
    }
  },
};

export const files: ExportPart = {
  file: 'files.json',
  title: 'Files',
  description: 'Files that you own: names, types and sizes.',
  collections: ['media'],
  async *records({ installationId, user }) {
    const own = scoped(MediaModel, installationId);
    for await (const file of readAll(own, { 'owner.id': user._id }, 'createdAt'))
      yield toReadable(shownOf(file));
  },
};

/** What a file is and what its owner said of it; where its bytes are stored is the product's affair. */
function shownOf({ _id, owner, kind, purpose, state, ...file }: MediaRecord): object {
  const { filename, contentType, byteSize, sha256, width, height, durationMs } = file;
  const { altText, focalPoint, rotation, usage, createdAt, updatedAt } = file;
  const facts = { filename, contentType, byteSize, sha256, width, height, durationMs };
  return {
    _id,
    owner,
    kind,
    purpose,
    state,
    ...facts,
    altText,
    focalPoint,
    rotation,
    usage,
    createdAt,
    updatedAt,
  };
}

export const favorites: ExportPart = {
  file: 'favorites.json',
  title: 'Saved listings',
  description: 'Listings that you saved, with your notes and their prices at that time.',
  collections: ['favorites'],
  async *records({ installationId, user }) {
    const saved = scoped(FavoriteModel, installationId);
    for await (const favorite of readAll(saved, { userId: user._id }, 'savedAt')) {
      // The id only joins two others.
      const { _id: _, userId: __, ...shown } = favorite;
      yield toReadable(shown);
    }
  },
};

export const savedSearches: ExportPart = {
  file: 'saved-searches.json',
  title: 'Saved searches',
  description: 'Searches that you keep, and how you want to be told about new listings.',
  collections: ['saved_searches'],
  async *records({ installationId, user }) {
    const kept = scoped(SavedSearchModel, installationId);
    for await (const search of readAll(kept, { userId: user._id }, 'createdAt')) {
      // The fingerprint only says which queries are equal.
      const { fingerprint: _, userId: __, ...shown } = search;
      yield toReadable(shown);
    }
  },
};
