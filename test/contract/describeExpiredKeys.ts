import { randomUUID } from 'node:crypto';
import { ExecutionModel } from '../../subgraphs/platform/idempotency/model.ts';
import { scoped } from '../../subgraphs/platform/installation/scoped.ts';
import { validCall } from '../authorization/matrix/validCalls.ts';
import { openWorld, type World } from '../authorization/world/openWorld.ts';
import { type Answer, askGraphql, inputOf, type Mutation } from './mutations.ts';
import { enrich, writesOf } from './otherRequest.ts';
import { without } from './without.ts';

/** Refusals of mutations that one caller cannot execute twice, whatever the key. */
const refused: Readonly<Record<string, string>> = {
  acceptDealerInvitation: '403 invitation_for_other_address',
  requestMyDataExport: '409 export_in_progress',
};

/** Writes that only the first request of a caller or for an object causes. */
const writtenByFirst: Readonly<Record<string, readonly string[]>> = {
  createDealer: ['insert owners'],
  createPaymentMethodSetup: [
    'insert payment_customers',
    'findAndModify payment_customers',
    'insert provider_objects',
  ],
  createSavedSearch: ['insert owners'],
  sendMessage: ['insert mails'],
};

/** Whether an answer contains the id of a record, so that the answers for two records differ. */
function hasId({ value }: Answer): boolean {
  return /"[a-z]+_[0-9A-Z]{26}"/.test(JSON.stringify(value));
}

/** Declares a test for each mutation: an expired key is a new key. */
export function describeExpiredKeys(mutations: readonly Mutation[]): void {
  let world: World;
  beforeAll(async () => {
    world = await openWorld();
    await enrich(world);
  });
  afterAll(() => world.app.close());

  /** Deletes the keys, as the TTL index does after a day. */
  async function expireKeys(): Promise<void> {
    await scoped(ExecutionModel, world.shop.installation.id).deleteMany({});
  }

  test.each(mutations)(
    '$name is executed again, and not replayed, with an idempotency key that expired',
    async ({ name, operation }) => {
      const idempotencyKey = randomUUID();
      const valid = await validCall(world, operation);
      const yesterday = await writesOf(() => askGraphql(world, valid, { ...inputOf(valid), idempotencyKey }));
      expect(yesterday.result).toMatchObject({ outcome: 'answered' });
      await expireKeys();
      const next = await validCall(world, operation);
      const { token } = valid.call;
      const own = token === undefined ? next : { ...next, call: { ...next.call, token } };
      const today = await writesOf(() => askGraphql(world, own, { ...inputOf(own), idempotencyKey }));
      const outcome = refused[name] ?? 'answered';
      expect(today.result).toMatchObject({ outcome });
      if (outcome !== 'answered') return;
      if (hasId(yesterday.result)) expect(today.result.value).not.toEqual(yesterday.result.value);
      // Audit events are written after the answer, so some belong to an earlier request.
      const unasserted = [...(writtenByFirst[name] ?? []), 'insert audit_events'];
      expect(without(yesterday.written, [...today.written, ...unasserted])).toEqual([]);
    },
  );
}
