import { randomUUID } from 'node:crypto';
import { newId } from '../../../subgraphs/platform/ids/newId.ts';
import { createLanguageSettings } from '../../../subgraphs/translation/languages/language/createLanguageSettings.ts';
import { collection } from '../../authorization/world/collection.ts';
import { storeAuditJob } from '../../authorization/world/storeAuditJob.ts';
import { storeSavedSearch } from '../../authorization/world/storeSavedSearch.ts';
import { storeMedia } from '../../support/people/storeMedia.ts';
import type { Product } from '../../support/product.ts';
import type { SeededUser } from '../../support/seed.ts';
import { copy, must, type Row, type Stock } from './Stock.ts';

/** Languages in which the texts of one listing grow. */
const codes = 'en de fr es it nl pl cs da sv fi nb pt ro hu sk sl hr bg el et lv'.split(' ');

/** Listings of a dealer, with the records of users and editors that refer to them. */
interface Market extends Stock {
  readonly callers: Readonly<Record<'owner' | 'buyer' | 'staff', SeededUser>>;
  /** The listings, which grow. */
  readonly listingIds: readonly string[];
  /** The listing whose translations and analyses grow. */
  readonly listingId: string;
  readonly conversationId: string;
  readonly auditJobId: string;
}

export async function openMarket({ market }: Product): Promise<Market> {
  const { installation } = market;
  const here = installation.id;
  await createLanguageSettings(installation, { languages: codes.map((code) => ({ code })) });
  const staff = await market.staff('moderator', 'editor', 'translator', 'installation_admin');
  const buyer = await market.user();
  const garage = await market.dealer({ limits: { maxActiveListings: 100 } });
  const { owner } = garage;
  const { id: listingId } = await garage.listing({ published: true });
  const { conversation } = await must(
    buyer.startConversation({ listingId, text: 'Is it there?' }, 'conversation { id }'),
  );
  const auditJobId = await storeAuditJob(here, staff.id, 'completed');
  const object = { type: 'LISTING', id: listingId } as const;
  const { record } = await must(staff.updateSeoRecord({ object, keyphrase: 'octavia' }, 'record { id }'));
  const { current } = await must(staff.seoRefresh({ object }, 'current { id }'));
  const listingIds: string[] = [];

  /** SEO fields and an analysis, equal to those of the first listing. */
  async function growAnalyses(objectId: string): Promise<void> {
    const [recordId, snapshotId] = [newId('seoRecord'), newId('seoSnapshot')];
    const first = await collection('seo_records').findOne({ _id: record.id });
    const latest = { ...(first?.latest as object), snapshotId };
    await copy('seo_records', record.id, { _id: recordId, objectId, latest });
    await copy('seo_snapshots', current.id, { _id: snapshotId, recordId, objectId });
  }

  async function growListings(): Promise<void> {
    const { id } = await garage.listing({ published: true });
    listingIds.push(id);
    const mediaId = await storeMedia(here, { type: 'dealer', id: garage.id }, { altText: 'A car.' });
    await must(owner.setListingMedia({ listingId: id, media: [{ mediaId }] }));
    const german = { language: 'de', status: 'PUBLISHED' } as const;
    const fields = { title: 'Skoda Octavia', description: 'Ein Auto.' };
    await must(staff.createTranslation({ ...german, source: { type: 'LISTING', id }, fields }));
    const ofMedia = { type: 'MEDIA', id: mediaId } as const;
    await must(staff.createTranslation({ ...german, source: ofMedia, fields: { altText: 'Ein Auto.' } }));
    await must(buyer.addFavorite({ listingId: id }));
    await must(buyer.createReport({ target: { type: 'LISTING', id }, reason: 'SPAM' }));
    const conversationId = newId('conversation');
    await copy('conversations', conversation.id, { _id: conversationId, topicId: id, listingId: id });
    await growAnalyses(id);
  }

  async function growTexts(times: number): Promise<void> {
    await must(buyer.sendMessage({ conversationId: conversation.id, text: `Word ${times}` }));
    await storeSavedSearch(here, buyer.id);
    const fields = { title: `Skoda ${times}`, description: 'A car.' };
    const language = codes[times] ?? '';
    await must(staff.createTranslation({ source: object, language, status: 'PUBLISHED', fields }));
    await storeAuditJob(here, staff.id, 'completed');
    const { items } = (await collection('seo_audit_jobs').findOne({ _id: auditJobId })) as unknown as {
      items: object[];
    };
    const item = { ...items[0], objectId: newId('listing') };
    await collection('seo_audit_jobs').updateOne({ _id: auditJobId }, { $push: { items: item } as never });
    await copy('seo_snapshots', current.id, {
      _id: newId('seoSnapshot'),
      contentVersion: times + 100,
      createdAt: new Date(),
    });
    await collection('seo_rulesets').insertOne({
      _id: randomUUID(),
      installationId: here,
      version: times,
      overrides: [{ path: '/scoring/rating/good', value: 81 }],
      createdAt: new Date(),
      createdBy: staff.id,
    });
  }

  return {
    callers: { owner, buyer, staff },
    listingIds,
    listingId,
    conversationId: conversation.id,
    auditJobId,
    async grow() {
      await Promise.all([growListings(), growTexts(listingIds.length + 1)]);
    },
  };
}

const ofListing = ({ listingId }: Market) => `object: { type: LISTING, id: "${listingId}" }`;
const ofJob = ({ auditJobId }: Market) => `jobId: "${auditJobId}"`;

/** The lists of listings and of records that refer to them. */
export const marketRows: readonly Row<Market>[] = [
  { list: 'adminListings', as: 'staff' },
  { list: 'adminReports', as: 'staff' },
  { list: 'catalogListings', as: 'buyer', arguments: () => 'count: true' },
  { list: 'conversations', as: 'buyer' },
  { list: 'listings', as: 'owner' },
  { list: 'mediaLibrary', as: 'owner' },
  { list: 'messages', as: 'buyer', arguments: ({ conversationId }) => `conversationId: "${conversationId}"` },
  { list: 'myEvents', as: 'buyer' },
  { list: 'myFavorites', as: 'buyer' },
  { list: 'myReports', as: 'buyer' },
  { list: 'mySavedSearches', as: 'buyer' },
  {
    list: 'relationGroup.members',
    as: 'staff',
    arguments: ({ listingId }) => `objectType: LISTING, objectId: "${listingId}"`,
  },
  {
    list: 'resolveTranslations',
    as: 'staff',
    arguments: ({ listingIds }) =>
      `objects: [${listingIds.map((id) => `{ type: LISTING, id: "${id}" }`).join(' ')}], language: "de"`,
  },
  {
    list: 'seoAnalysisHistory.nodes',
    as: 'staff',
    arguments: ofListing,
    sorted: { seo_snapshots: 'pruneSnapshots.ts keeps few of each record' },
  },
  { list: 'seoAuditItems', as: 'staff', arguments: ofJob },
  { list: 'seoAuditJob.items', as: 'staff', arguments: ofJob },
  { list: 'seoAuditJobs', as: 'staff', without: { 'SeoAuditJob.items': 'a page of its own for each job' } },
  { list: 'seoAuditReport.items', as: 'staff', arguments: ofJob },
  { list: 'seoRulesetVersions', as: 'staff' },
  {
    list: 'translationCoverage',
    as: 'staff',
    arguments: () => 'objectType: LISTING',
    entriesOf: 'languages',
  },
  { list: 'translations', as: 'staff' },
];
