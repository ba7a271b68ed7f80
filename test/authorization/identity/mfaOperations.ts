import { newId } from '../../../subgraphs/platform/ids/newId.ts';
import { enrollFactor } from '../../support/people/secondFactor.ts';
import { once, onEach, writing } from '../matrix/calls.ts';
import type { Call, Case, Cell, Operation } from '../matrix/Operation.ts';
import { namesOf } from '../world/Item.ts';
import { notOwn } from '../world/meanings.ts';

/** Second factors. Enrolling one requires none. */
export const mfaOperations: readonly Operation[] = [
  {
    field: 'Mutation.enrollMfaFactor',
    rule: { kind: 'signed in' },
    stepUp: true,
    withoutMfa: true,
    selection: 'enrollment { secret factor { state } }',
    cases: [
      once(async (cell) => ({
        ...writing({}, { label: 'Phone' }),
        ...(cell.isAnswered && { token: await twinToken(cell) }),
      })),
    ],
    check: (data) => expect(data.secret ?? data.enrollment.secret).toMatch(/^[A-Z2-7]{32}$/),
  },
  {
    field: 'Mutation.verifyMfaFactor',
    rule: { kind: 'signed in' },
    withoutMfa: true,
    selection: 'recoveryCodes factor { state }',
    cases: casesOf((factorId, otp) => writing({ factorId }, { otp })),
    check: (data) => expect(data.recoveryCodes).toHaveLength(10),
  },
  {
    field: 'Mutation.deleteMfaFactor',
    rule: { kind: 'signed in' },
    stepUp: true,
    withoutMfa: true,
    selection: 'id: deletedFactorId',
    cases: casesOf((factorId) => writing({ factorId })),
  },
];

function casesOf(naming: (factorId: string, otp: string) => Call): Case[] {
  return [
    once(
      async (cell) => {
        if (!cell.isAnswered) return naming(newId('mfaFactor'), '000000');
        const token = await twinToken(cell);
        const { app, shop } = cell.world;
        const factor = await enrollFactor({ ...shop, stack: app.stack, as: { token } });
        return { ...naming(factor.factorId, factor.app.code(app.stack.platform.now())), token };
      },
      { name: 'own' },
    ),
    ...onEach(namesOf('factor'), (factorId) => naming(factorId, '000000'), { meaning: notOwn }),
  ];
}

/** Token of a new account with the caller's rights, to which factors can be added. */
async function twinToken({ world, who }: Cell): Promise<string> {
  return (await world.twin(who)).token;
}
