import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { isId } from '../../../platform/ids/newId.ts';
import { reads } from '../../../platform/installation/scoped.ts';
import { CatalogListingModel } from '../../listings/catalog/public-listing/model.ts';
import { filesOf, pickContent } from '../../listings/listing/content/revision.ts';
import type { ListingRecord } from '../../listings/listing/record/model.ts';
import { listingLoader } from '../../listings/listing/record/policy.ts';
import { MediaModel } from '../../media/model.ts';
import { liveStates } from '../../media/states.ts';
import { conversationLoader, sideOf } from '../../messaging/conversation/policy.ts';
import { messageLoader } from '../../messaging/message/policy.ts';
import { DealerModel, type DealerRecord } from '../../people/dealer/model.ts';
import { dealerLoader } from '../../people/dealer/policy.ts';
import { userLoader } from '../../people/user/policy.ts';
import type { StoredTarget } from './model.ts';

/** An object that can be reported, in its current state. */
export interface Reportable {
  /** Id of the object, also if it was found by its slug. */
  id: string;
  /** `usr_…` or `dlr_…`; null without an owner. */
  ownerId: string | null;
  /** The listing that counts the report. */
  listingId: string | null;
  /** Files that must stay while the report is not resolved. */
  mediaIds: string[];
  /** Part of the object that is stored with the report. */
  evidence: object;
}

type Kind = Exclude<StoredTarget['type'], 'decision'>;

const finders: Readonly<
  Record<Kind, (idOrSlug: string, context: RequestContext) => Promise<Reportable | null>>
> = {
  listing: findListing,
  dealer: findDealer,
  user: findUser,
  media: findMedia,
  message: findMessage,
};

/**
 * Returns the reported object. Null if it does not exist or was never public, because a report must not reveal its
 * existence.
 */
export function findTarget(
  { type, id }: { type: Kind; id: string },
  context: RequestContext,
): Promise<Reportable | null> {
  return finders[type](id, context);
}

const slugPattern = /^[a-z0-9-]{1,120}$/;

async function findListing(idOrSlug: string, context: RequestContext): Promise<Reportable | null> {
  const listing = await context.loader(listingLoader).load(await listingIdOf(idOrSlug, context));
  if (!listing || listing.publishedAt === null) return null;
  const { _id: id, owner } = listing;
  return { id, ownerId: owner.id, listingId: id, mediaIds: filesOf(listing), evidence: evidenceOf(listing) };
}

async function listingIdOf(idOrSlug: string, { installationId }: RequestContext): Promise<string> {
  if (isId('listing', idOrSlug) || !slugPattern.test(idOrSlug)) return idOrSlug;
  const copy = await reads(CatalogListingModel, installationId).findOne(
    { slug: idOrSlug },
    { projection: { _id: 1 } },
  );
  return copy?._id ?? '';
}

/** Returns the listing as the public sees it or last saw it. */
function evidenceOf(listing: ListingRecord): object {
  const { state, owner, publishedAt, revision, slug } = listing;
  return { ...pickContent(listing), ...listing.published, state, owner, publishedAt, revision, slug };
}

async function findDealer(idOrSlug: string, context: RequestContext): Promise<Reportable | null> {
  const dealer = isId('dealer', idOrSlug)
    ? await context.loader(dealerLoader).load(idOrSlug)
    : await findDealerBySlug(idOrSlug, context);
  if (!dealer || dealer.state === 'onboarding') return null;
  const { _id: id, legalName, tradeName, slug, description, website, state } = dealer;
  const evidence = { legalName, tradeName, slug, description, website, state };
  return { id, ownerId: id, listingId: null, mediaIds: [], evidence };
}

async function findDealerBySlug(
  slug: string,
  { installationId }: RequestContext,
): Promise<DealerRecord | null> {
  return slugPattern.test(slug) ? reads(DealerModel, installationId).findOne({ slug }) : null;
}

async function findUser(userId: string, context: RequestContext): Promise<Reportable | null> {
  const user = await context.loader(userLoader).load(userId);
  if (!user || user.state === 'deleted') return null;
  const { _id: id, displayName, state, createdAt } = user;
  return { id, ownerId: id, listingId: null, mediaIds: [], evidence: { displayName, state, createdAt } };
}

/** Returns a message if the caller takes part in its conversation. */
async function findMessage(messageId: string, context: RequestContext): Promise<Reportable | null> {
  const message = await context.loader(messageLoader).load(messageId);
  const conversation = message && (await context.loader(conversationLoader).load(message.conversationId));
  if (!conversation || message.state !== 'sent' || sideOf(context.viewer, conversation) === null) return null;
  const { _id: id, conversationId, seq, authorId, side, text, mediaIds, createdAt } = message;
  const evidence = { conversationId, seq, authorId, side, text, mediaIds, createdAt };
  return { id, ownerId: authorId, listingId: null, mediaIds, evidence };
}

const shownPurposes = ['listing', 'avatar', 'logo'];

async function findMedia(mediaId: string, { installationId }: RequestContext): Promise<Reportable | null> {
  if (!isId('media', mediaId)) return null;
  const media = await reads(MediaModel, installationId).findOne({ _id: mediaId });
  if (!media || !shownPurposes.includes(media.purpose) || !liveStates.includes(media.state)) return null;
  const { _id: id, owner, kind, purpose, state, filename, altText, contentType, byteSize, sha256 } = media;
  const evidence = { owner, kind, purpose, state, filename, altText, contentType, byteSize, sha256 };
  return { id, ownerId: owner.id, listingId: null, mediaIds: [id], evidence };
}
