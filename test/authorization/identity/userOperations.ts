import { newId } from '../../../subgraphs/platform/ids/newId.ts';
import { unique } from '../../support/seed.ts';
import { namesOf } from '../Item.ts';
import type { Call, Cell, Operation } from '../Operation.ts';
import { knownPassword } from '../openWorld.ts';
import type { Rule } from '../rules.ts';
import { storeExport } from '../storeExport.ts';

/** also to those who are suspended or leave. */
const openToAll: Rule = { kind: 'signed in', alsoIn: ['suspended', 'deletion_scheduled'] };

/** Accounts. */
export const userOperations: readonly Operation[] = [
  {
    field: 'Query.me',
    source: 'self, any client; suspended, leaving and without a second factor too',
    rule: openToAll,
    scope: '*',
    withoutMfa: true,
    routes: { 'GET /api/v1/me': 200 },
    selection: 'id state installation { id }',
    cases: [{ call: () => ({ variables: {} }) }],
    check: (data, { who, world }) => expect(data.id).toBe(world.ids[who]),
  },
  {
    field: 'Mutation.updateMe',
    source: 'self; nothing but cancelDeletion for those who leave',
    rule: { kind: 'signed in' },
    withoutMfa: true,
    routes: { 'PATCH /api/v1/me': 200 },
    selection: 'me { id state }',
    cases: [
      {
        call: ({ who }) => {
          const body = { displayName: `I am ${who}` };
          return { variables: { input: body }, body };
        },
      },
      {
        name: 'stay',
        rule: { kind: 'signed in', alsoIn: ['deletion_scheduled'] },
        call: (cell) => asTwin(cell, { cancelDeletion: true }),
        check: (data, { style }) =>
          expect((style === 'rest' ? data : data.me).state).toMatch(/^(active|unverified)$/i),
      },
    ],
  },
  {
    field: 'Mutation.requestAccountDeletion',
    source: 'self, Up; suspended too',
    rule: { kind: 'signed in', alsoIn: ['suspended'] },
    stepUp: true,
    withoutMfa: true,
    routes: { 'DELETE /api/v1/me': 202 },
    selection: 'deletion { effectiveAt }',
    cases: [{ call: (cell) => asTwin(cell, {}) }],
    check: (data) => expect(Date.parse(data.deletion.effectiveAt)).toBeGreaterThan(Date.now()),
  },
  {
    field: 'Mutation.changePassword',
    source: 'self',
    rule: { kind: 'signed in' },
    routes: { 'PUT /api/v1/me/password': 204 },
    selection: 'revokedSessionIds',
    cases: [
      {
        call: (cell) =>
          asTwin(cell, { currentPassword: knownPassword, newPassword: 'another-tractor-7-cello' }),
      },
    ],
  },
  {
    field: 'Mutation.putMyConsent',
    source: 'self; no other purpose',
    rule: { kind: 'signed in' },
    routes: { 'PUT /api/v1/me/consents/{purpose}': 200 },
    selection: 'consent { purpose granted }',
    cases: [
      { call: () => consenting('marketing') },
      {
        name: 'no purpose',
        call: () => consenting('ai_processing'),
        meaning: () => ({ status: 404, code: 'not_found' }),
      },
    ],
  },
  {
    field: 'Mutation.requestMyDataExport',
    source: 'self, Up; suspended and leaving too',
    rule: openToAll,
    stepUp: true,
    routes: { 'POST /api/v1/me/data-exports': 202 },
    selection: 'dataExport { state }',
    cases: [{ call: (cell) => asTwin(cell, {}) }],
    check: (data) => expect((data.dataExport ?? data).state).toMatch(/^queued$/i),
  },
  {
    field: 'Query.myDataExport',
    source: 'owner; suspended and leaving too',
    rule: openToAll,
    routes: { 'GET /api/v1/me/data-exports/{exportId}': 200 },
    selection: 'id url',
    cases: [
      {
        name: 'own',
        call: async ({ world, who, isAnswered }) =>
          naming(
            isAnswered ? await storeExport(world.shop.installation.id, world.ids[who]) : newId('dataExport'),
          ),
        check: (data) => expect(data.url).toMatch(/\/api\/v1\/files\//),
      },
      ...namesOf('export').map((item) => ({
        item,
        call: ({ item }: Cell) => naming(item?.id ?? ''),
        meaning: ({ item }: Cell) =>
          item?.where === 'here'
            ? { status: 403, code: 'ownership_required' }
            : { status: 404, code: 'not_found' },
      })),
    ],
  },
  {
    field: 'Mutation.register',
    source: 'public, whatever Authorization says',
    rule: { kind: 'public', ignoresToken: true },
    routes: { 'POST /api/v1/auth/register': 201 },
    selection: 'registration { userId }',
    cases: [
      {
        call: () => {
          const body = {
            email: `${unique('new')}@example.test`,
            password: knownPassword,
            displayName: 'New',
          };
          return { variables: { input: body }, body };
        },
      },
    ],
  },
];

/** What changes an account for good is done to one like the caller's. */
async function asTwin({ world, who, isAnswered }: Cell, input: object): Promise<Call> {
  const isEmpty = Object.keys(input).length === 0;
  const call = { variables: { input }, ...(isEmpty ? {} : { body: input }) };
  return isAnswered ? { ...call, token: (await world.twin(who)).token } : call;
}

function consenting(purpose: string): Call {
  const body = { version: '1', granted: true };
  return { variables: { input: { purpose, ...body } }, path: { purpose }, body };
}

function naming(exportId: string): Call {
  return { variables: { exportId }, path: { exportId } };
}
