import { newId } from '../../../subgraphs/platform/ids/newId.ts';
import { enrollFactor } from '../../support/secondFactor.ts';
import { namesOf } from '../Item.ts';
import type { Call, Case, Cell, Operation } from '../Operation.ts';

/** Second factors: no second factor is demanded to enroll one. */
export const mfaOperations: readonly Operation[] = [
  {
    field: 'Mutation.enrollMfaFactor',
    source: 'self, Up',
    rule: { kind: 'signed in' },
    stepUp: true,
    withoutMfa: true,
    routes: { 'POST /api/v1/me/mfa-factors': 201 },
    selection: 'enrollment { secret factor { state } }',
    cases: [
      {
        call: async ({ world, who, isAnswered }) => {
          const body = { label: 'Phone' };
          return { variables: { input: body }, body, ...(isAnswered ? await asTwin(world, who) : {}) };
        },
        check: (data) => expect(data.secret ?? data.enrollment.secret).toMatch(/^[A-Z2-7]{32}$/),
      },
    ],
  },
  {
    field: 'Mutation.verifyMfaFactor',
    source: 'owner',
    rule: { kind: 'signed in' },
    withoutMfa: true,
    routes: { 'POST /api/v1/me/mfa-factors/{factorId}/verify': 200 },
    selection: 'recoveryCodes factor { state }',
    cases: casesOf(({ factorId, otp }) => ({
      variables: { input: { factorId, otp } },
      path: { factorId },
      body: { otp },
    })),
    check: (data) => expect(data.recoveryCodes).toHaveLength(10),
  },
  {
    field: 'Mutation.deleteMfaFactor',
    source: 'owner, Up',
    rule: { kind: 'signed in' },
    stepUp: true,
    withoutMfa: true,
    routes: { 'DELETE /api/v1/me/mfa-factors/{factorId}': 204 },
    selection: 'id',
    cases: casesOf(({ factorId }) => ({ variables: { input: { factorId } }, path: { factorId } })),
  },
];

/** `userId = sub`; nobody else, whatever he holds. */
function casesOf(naming: (factor: { factorId: string; otp: string }) => Call): Case[] {
  return [
    {
      name: 'own',
      call: async ({ world, who, isAnswered }) => {
        if (!isAnswered) return naming({ factorId: newId('mfaFactor'), otp: '000000' });
        const twin = await asTwin(world, who);
        const { stack } = world.app;
        const { factorId, app } = await enrollFactor({ ...world.shop, stack, as: twin });
        return { ...naming({ factorId, otp: app.code(stack.platform.now()) }), ...twin };
      },
    },
    ...namesOf('factor').map(
      (item): Case => ({
        item,
        call: ({ item }) => naming({ factorId: item?.id ?? '', otp: '000000' }),
        meaning: ({ item }) =>
          item?.where === 'here'
            ? { status: 403, code: 'ownership_required' }
            : { status: 404, code: 'not_found' },
      }),
    ),
  ];
}

/** Somebody who is like the caller, and may be given factors. */
async function asTwin(world: Cell['world'], who: Cell['who']): Promise<{ token: string }> {
  return { token: (await world.twin(who)).token };
}
