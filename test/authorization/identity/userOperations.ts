import { newId } from '../../../subgraphs/platform/ids/newId.ts';
import { unique } from '../../support/seed.ts';
import { hasState, once, onEach, reading, writing } from '../matrix/calls.ts';
import type { Call, Cell, Operation } from '../matrix/Operation.ts';
import type { Rule } from '../matrix/rules.ts';
import { namesOf } from '../world/Item.ts';
import { notFound, notOwn } from '../world/meanings.ts';
import { knownPassword } from '../world/openWorld.ts';
import { storeExport } from '../world/storeExport.ts';

/** Rule for all users, including suspended and leaving ones. */
const openToAll: Rule = { kind: 'signed in', alsoIn: ['suspended', 'deletion_scheduled'] };

/** Accounts. */
export const userOperations: readonly Operation[] = [
  {
    field: 'Query.me',
    rule: openToAll,
    scope: '*',
    withoutMfa: true,
    selection: 'id state installation { id }',
    check: (data, { who, world }) => expect(data.id).toBe(world.ids[who]),
  },
  {
    field: 'Mutation.updateMe',
    rule: { kind: 'signed in' },
    withoutMfa: true,
    selection: 'me { id state }',
    cases: [
      once(({ who }) => writing({}, { displayName: `I am ${who}` })),
      once((cell) => asTwin(cell, { cancelDeletion: true }), {
        name: 'stay',
        rule: { kind: 'signed in', alsoIn: ['deletion_scheduled'] },
        check: (data, { style }) =>
          expect((style === 'rest' ? data : data.me).state).toMatch(/^(active|unverified)$/i),
      }),
    ],
  },
  {
    field: 'Mutation.requestAccountDeletion',
    rule: { kind: 'signed in', alsoIn: ['suspended'] },
    stepUp: true,
    withoutMfa: true,
    selection: 'deletion { effectiveAt }',
    cases: [once((cell) => asTwin(cell))],
    check: (data) => expect(Date.parse(data.deletion.effectiveAt)).toBeGreaterThan(Date.now()),
  },
  {
    field: 'Mutation.changePassword',
    rule: { kind: 'signed in' },
    selection: 'revokedSessionIds',
    cases: [
      once((cell) =>
        asTwin(cell, { currentPassword: knownPassword, newPassword: 'another-tractor-7-cello' }),
      ),
    ],
  },
  {
    field: 'Mutation.putMyConsent',
    rule: { kind: 'signed in' },
    selection: 'consent { purpose granted }',
    cases: [
      once(() => consenting('marketing')),
      once(() => consenting('ai_processing'), { name: 'no purpose', meaning: () => notFound }),
    ],
  },
  {
    field: 'Mutation.requestMyDataExport',
    rule: openToAll,
    stepUp: true,
    selection: 'dataExport { state }',
    cases: [once((cell) => asTwin(cell))],
    check: hasState('dataExport', 'queued'),
  },
  {
    field: 'Query.myDataExport',
    rule: openToAll,
    selection: 'id url',
    cases: [
      once(
        async ({ world, who, isAnswered }) => {
          if (!isAnswered) return reading({ exportId: newId('dataExport') });
          return reading({ exportId: await storeExport(world.shop.installation.id, world.ids[who]) });
        },
        { name: 'own', check: (data) => expect(data.url).toMatch(/\/api\/v1\/files\//) },
      ),
      ...onEach(namesOf('export'), (exportId) => reading({ exportId }), { meaning: notOwn }),
    ],
  },
  {
    field: 'Mutation.register',
    rule: { kind: 'public', ignoresToken: true },
    selection: 'registration { userId }',
    cases: [
      once(() => {
        const email = `${unique('new')}@example.test`;
        return writing({}, { email, password: knownPassword, displayName: 'New' });
      }),
    ],
  },
];

/** A permanent change uses a new account with the caller's rights. */
async function asTwin({ world, who, isAnswered }: Cell, body?: object): Promise<Call> {
  const call = writing({}, body);
  return isAnswered ? { ...call, token: (await world.twin(who)).token } : call;
}

function consenting(purpose: string): Call {
  return writing({ purpose }, { version: '1', granted: true });
}
