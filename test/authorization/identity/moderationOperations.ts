import { unique } from '../../support/seed.ts';
import { collection } from '../collection.ts';
import { type ItemName, namesOf } from '../Item.ts';
import type { Call, Case, Cell, Operation } from '../Operation.ts';
import { isMember, type Rule } from '../rules.ts';
import { storeReport } from '../storeReport.ts';

const holds = (permission: string): Rule => ({ kind: 'holds any', permissions: [permission] });
const notFound = { status: 404, code: 'not_found' } as const;
const isNobodys = ({ item }: Cell) => (item?.where === 'here' ? null : notFound);
const listings: readonly ItemName[] = ['garage', 'private', 'elsewhere', 'never'];
const reports = namesOf('report');

/** A listing that waits for review, of the owner of the item. */
async function waiting({ world, item }: Cell): Promise<string> {
  if (!item) return '';
  const { id } = await world.draft(item);
  await collection('listings').updateOne({ _id: id }, { $set: { state: 'pending_review' } });
  return id;
}

function decisions(body: object, meaning: NonNullable<Case['meaning']>): Case[] {
  return listings.map((item) => ({
    item,
    call: async (cell) => {
      const listingId = cell.isAnswered ? await waiting(cell) : (cell.item?.id ?? '');
      return { variables: { input: { listingId, ...upper(body) } }, path: { listingId }, body };
    },
    meaning,
  }));
}

/** REST writes the words of enums in lower case. */
function upper(body: object): object {
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [
      name,
      name === 'reasonCodes' ? value.map((code: string) => code.toUpperCase()) : value,
    ]),
  );
}

function onReports(input: object, body: object): Case[] {
  return reports.map((item) => ({
    item,
    call: async ({ isAnswered, item, world }) => {
      const reportId = isAnswered
        ? await storeReport(world.shop.installation.id, world.items.person.id)
        : (item?.id ?? '');
      return { variables: { input: { reportId, ...input } }, path: { reportId }, body };
    },
    meaning: isNobodys,
  }));
}

function reporting(type: string, id: string, reason = 'spam'): Call {
  return {
    variables: { input: { target: { type: type.toUpperCase(), id }, reason: reason.toUpperCase() } },
    body: { target: { type, id }, reason },
  };
}

/** Moderation, reports and notices. */
export const moderationOperations: readonly Operation[] = [
  {
    field: 'Query.adminListings',
    source: 'listings:moderate; of this installation only',
    rule: holds('listings:moderate'),
    routes: { 'GET /api/v1/admin/listings': 200 },
    selection: 'nodes { id }',
    cases: [
      { call: () => ({ variables: {} }) },
      {
        name: 'in every state',
        call: () => ({ variables: { first: 100, queued: false }, query: { limit: '100', queued: 'false' } }),
        check: (data) => expect((data.nodes ?? data.data).length).toBeGreaterThan(0),
      },
    ],
    check: (data, { world }) =>
      expect((data.nodes ?? data.data).map(({ id }: { id: string }) => id)).not.toContain(
        world.items.elsewhere.id,
      ),
  },
  {
    field: 'Mutation.approveListing',
    source: 'listings:moderate; 403 four_eyes for one’s own',
    rule: holds('listings:moderate'),
    routes: { 'POST /api/v1/admin/listings/{listingId}/approve': 200 },
    selection: 'listing { id state }',
    cases: decisions({ revision: 1 }, (cell) => {
      const { item, who } = cell;
      if (!item || item.where !== 'here') return notFound;
      const isOwn = isMember(who, item) || (item.owner === 'seller' && who === 'seller');
      return isOwn ? { status: 403, code: 'four_eyes' } : null;
    }),
    check: (data) => expect((data.listing ?? data).state.toLowerCase()).toBe('active'),
  },
  {
    field: 'Mutation.rejectListing',
    source: 'listings:moderate',
    rule: holds('listings:moderate'),
    routes: { 'POST /api/v1/admin/listings/{listingId}/reject': 200 },
    selection: 'listing { id state }',
    cases: decisions({ revision: 1, reasonCodes: ['other'] }, isNobodys),
    check: (data) => expect((data.listing ?? data).state.toLowerCase()).toBe('rejected'),
  },
  {
    field: 'Mutation.createReport',
    source: 'authenticated; people only; 404 for what the public has never seen',
    rule: { kind: 'signed in' },
    routes: { 'POST /api/v1/reports': 201 },
    selection: 'report { id state }',
    cases: [
      ...namesOf('person').map((item) => ({
        item,
        call: async ({ isAnswered, item, world }: Cell) =>
          reporting('user', isAnswered ? (await world.shop.user()).id : (item?.id ?? '')),
        meaning: isNobodys,
      })),
      ...listings.map((item) => ({
        item,
        call: ({ item }: Cell) => reporting('listing', item?.id ?? ''),
        meaning: () => notFound,
      })),
      ...namesOf('report').map((item) => ({
        name: 'appeal',
        item,
        call: ({ item }: Cell) => reporting('decision', item?.id ?? '', 'appeal'),
        meaning: ({ item }: Cell) =>
          item?.where === 'here' ? { status: 403, code: 'ownership_required' } : notFound,
      })),
    ],
    check: (data) => expect((data.report ?? data).state.toLowerCase()).toBe('open'),
  },
  {
    field: 'Query.myReports',
    source: '2.5: the reporter sees the state of his own; people only; lists never hold foreign records',
    rule: { kind: 'signed in' },
    selection: 'nodes { id }',
    cases: [{ call: () => ({ variables: {} }) }],
    check: (data, { world }) =>
      expect(data.nodes.map(({ id }: { id: string }) => id)).not.toContain(world.items.report.id),
  },
  {
    field: 'Query.adminReports',
    source: 'reports:manage; of this installation only',
    rule: holds('reports:manage'),
    routes: { 'GET /api/v1/admin/reports': 200 },
    selection: 'nodes { id }',
    cases: [{ call: () => ({ variables: { first: 100 }, query: { limit: '100' } }) }],
    check: (data, { world }) => {
      const ids = (data.nodes ?? data.data).map(({ id }: { id: string }) => id);
      expect(ids).toContain(world.items.report.id);
      expect(ids).not.toContain(world.items.reportElsewhere.id);
    },
  },
  {
    field: 'Mutation.reviewReport',
    source: '2.3: open to in_review by a moderator',
    rule: holds('reports:manage'),
    selection: 'report { id state }',
    cases: onReports({}, {}),
    check: (data) => expect(data.report.state).toBe('IN_REVIEW'),
  },
  {
    field: 'Mutation.resolveReport',
    source: 'reports:manage',
    rule: holds('reports:manage'),
    routes: { 'POST /api/v1/admin/reports/{reportId}/resolve': 200 },
    selection: 'report { id state }',
    cases: onReports({ outcome: 'DISMISSED' }, { outcome: 'dismissed' }),
    check: (data) => expect((data.report ?? data).state.toLowerCase()).toBe('dismissed'),
  },
  {
    field: 'Mutation.createNotice',
    source: 'public; the same answer whatever it is about',
    rule: { kind: 'public' },
    routes: { 'POST /api/v1/notices': 202 },
    selection: 'accepted',
    cases: (['published', 'elsewhere', 'never'] as const).map((item) => ({
      item,
      call: ({ item }) => {
        const members = {
          text: 'This is stolen.',
          email: `${unique('neighbour')}@example.test`,
          goodFaith: true,
        };
        const { variables, body } = reporting('listing', item?.id ?? '', 'illegal');
        const { input } = variables as { input: object };
        return { variables: { input: { ...input, ...members } }, body: { ...body, ...members } };
      },
    })),
    check: (data) => expect(data.accepted).toBe(true),
  },
];
