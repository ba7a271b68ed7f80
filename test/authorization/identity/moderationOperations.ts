import { unique } from '../../support/seed.ts';
import { ofTests } from '../../support/stack/scatteredCommands.ts';
import { hasState, idsIn, once, onEach, onFresh, writing } from '../matrix/calls.ts';
import type { Call, Case, Cell, Operation } from '../matrix/Operation.ts';
import { isMember, type Rule } from '../matrix/rules.ts';
import { collection } from '../world/collection.ts';
import { type ItemName, namesOf } from '../world/Item.ts';
import { notFound, notOwn, onlyHere } from '../world/meanings.ts';
import { storeReport } from '../world/storeReport.ts';

const holds = (permission: string): Rule => ({ kind: 'holds any', permissions: [permission] });
const listings: readonly ItemName[] = ['garage', 'private', 'elsewhere', 'never'];
const reports = namesOf('report');

/** A listing in review of the item's owner. */
async function waiting({ world, item }: Cell): Promise<string> {
  if (!item) return '';
  const { id } = await world.draft(item);
  await collection('listings').updateOne(
    { _id: id },
    { $set: { state: 'pending_review' } },
    { comment: ofTests },
  );
  return id;
}

const storeNewReport = ({ world }: Cell) => storeReport(world.shop.installation.id, world.items.person.id);

function reporting(type: string, id: string, reason = 'spam', more: object = {}): Call {
  const inGraphql = { target: { type: type.toUpperCase(), id }, reason: reason.toUpperCase() };
  const { path: _, ...call } = writing({}, { target: { type, id }, reason, ...more }, inGraphql);
  return call;
}

/** Moderation, reports and notices. */
export const moderationOperations: readonly Operation[] = [
  {
    field: 'Query.adminListings',
    rule: holds('listings:moderate'),
    selection: 'nodes { id }',
    cases: [
      once(() => ({ variables: {} })),
      once(() => ({ variables: { first: 100, queued: false }, query: { limit: '100', queued: 'false' } }), {
        name: 'in every state',
        check: (data) => expect(idsIn(data).length).toBeGreaterThan(0),
      }),
    ],
    check: (data, { world }) => expect(idsIn(data)).not.toContain(world.items.elsewhere.id),
  },
  {
    field: 'Mutation.approveListing',
    rule: holds('listings:moderate'),
    selection: 'listing { id state }',
    cases: onFresh(listings, waiting, (listingId) => writing({ listingId }, { revision: 1 }), {
      meaning: ({ item, who }) => {
        if (!item || item.where !== 'here') return notFound;
        const isOwn = isMember(who, item) || (item.owner === 'seller' && who === 'seller');
        return isOwn ? { status: 403, code: 'four_eyes' } : null;
      },
    }),
    check: hasState('listing', 'active'),
  },
  {
    field: 'Mutation.rejectListing',
    rule: holds('listings:moderate'),
    selection: 'listing { id state }',
    cases: onFresh(
      listings,
      waiting,
      (listingId) =>
        writing({ listingId }, { revision: 1, reasonCodes: ['other'] }, { reasonCodes: ['OTHER'] }),
      { meaning: onlyHere },
    ),
    check: hasState('listing', 'rejected'),
  },
  {
    field: 'Mutation.createReport',
    rule: { kind: 'signed in' },
    selection: 'report { id state }',
    cases: [
      ...onFresh(
        namesOf('person'),
        async ({ world }) => (await world.shop.user()).id,
        (id) => reporting('user', id),
        { meaning: onlyHere },
      ),
      ...onEach(listings, (id) => reporting('listing', id), { meaning: () => notFound }),
      ...onEach(reports, (id) => reporting('decision', id, 'appeal'), { name: 'appeal', meaning: notOwn }),
    ],
    check: hasState('report', 'open'),
  },
  {
    field: 'Query.myReports',
    rule: { kind: 'signed in' },
    selection: 'nodes { id }',
    check: (data, { world }) => expect(idsIn(data)).not.toContain(world.items.report.id),
  },
  {
    field: 'Query.adminReports',
    rule: holds('reports:manage'),
    selection: 'nodes { id }',
    cases: [once(() => ({ variables: { first: 100 }, query: { limit: '100' } }))],
    check: (data, { world }) => {
      expect(idsIn(data)).toContain(world.items.report.id);
      expect(idsIn(data)).not.toContain(world.items.reportElsewhere.id);
    },
  },
  {
    field: 'Mutation.reviewReport',
    rule: holds('reports:manage'),
    selection: 'report { id state }',
    cases: onReports({}, {}),
    check: hasState('report', 'in_review'),
  },
  {
    field: 'Mutation.resolveReport',
    rule: holds('reports:manage'),
    selection: 'report { id state }',
    cases: onReports({ outcome: 'dismissed' }, { outcome: 'DISMISSED' }),
    check: hasState('report', 'dismissed'),
  },
  {
    field: 'Mutation.createNotice',
    rule: { kind: 'public' },
    selection: 'accepted',
    cases: onEach(['published', 'elsewhere', 'never'], (id) => {
      const email = `${unique('neighbour')}@example.test`;
      return reporting('listing', id, 'illegal', { text: 'This is stolen.', email, goodFaith: true });
    }),
    check: (data) => expect(data.accepted).toBe(true),
  },
];

function onReports(body: object, inGraphql: object): Case[] {
  return onFresh(reports, storeNewReport, (reportId) => writing({ reportId }, body, inGraphql), {
    meaning: onlyHere,
  });
}
