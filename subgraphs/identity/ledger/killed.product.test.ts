import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import mongoose from 'mongoose';
import { openTestStack, type TestStack } from '../../../test/support/openTestStack.ts';
import { seed } from '../../../test/support/seed.ts';
import { newId } from '../../platform/ids/newId.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import { buildIdentity } from '../server.ts';
import { dealerAccount } from './accounts.ts';
import { LedgerBalanceModel, LedgerTransactionModel } from './model.ts';
import { postTransaction } from './postTransaction.ts';
import { proveLedger } from './proveLedger.ts';

const program = fileURLToPath(new URL('./fixture/postUntilKilled.ts', import.meta.url));
const patienceMs = 240_000;
/** Reads of balance and journal, the balance, the journal, the tag: no withdrawal sends more. */
const mostCommands = 6;

let stack: TestStack;
beforeAll(async () => {
  stack = await openTestStack({ subgraphs: [buildIdentity] });
});
afterAll(() => stack.close());

test(
  'a withdrawal whose process is killed at any of its commands is made once or not at all, and whoever repeats it makes it once',
  async () => {
    const { installation, dealer } = await seed(stack).installation();
    const { id: dealerId } = await dealer();
    const scope = { installationId: installation.id, platform: stack.platform };
    const line = (account: string, amount: number) => ({ account, currency: 'EUR', amount });
    const [available, inPayout] = [
      dealerAccount(dealerId, 'available'),
      dealerAccount(dealerId, 'in_payout'),
    ];
    const own = { dealerId, currency: 'EUR' };
    await postTransaction(scope, {
      ...own,
      kind: 'adjustment',
      source: { type: 'adjustment', id: newId('ledgerTransaction') },
      postings: [line('psp_clearing', -1000), line(available, 1000)],
    });
    const balance = async () =>
      (await scoped(LedgerBalanceModel, installation.id).findOne({ dealerId }))?.accounts;
    let made = 0;
    let killed = 0;
    for (const when of ['before', 'after'])
      for (let nth = 1; nth <= mostCommands; nth += 1) {
        const id = newId('payout');
        const where = [process.env.MONGODB_URI ?? '', mongoose.connection.name, installation.id, dealerId];
        const child = spawn(process.execPath, [program, ...where, id, when, String(nth)], {
          stdio: 'inherit',
        });
        const [code, signal] = await once(child, 'exit');
        expect([code, signal]).toEqual(signal === null ? [0, null] : [null, 'SIGKILL']);
        if (signal !== null) killed += 1;
        // What is there is there already, even before anybody has finished it.
        expect((await proveLedger(installation.id)).mismatches).toEqual([]);
        if (nth % 2 === 0) {
          stack.advance(10_000);
          await stack.runJob('identity.ledger-recovery');
        }
        await postTransaction(scope, {
          ...own,
          kind: 'payout',
          source: { type: 'payout', id },
          payoutId: id,
          postings: [line(available, -10), line(inPayout, 10)],
        });
        made += 1;
        expect(await balance()).toEqual({
          pending: 0,
          available: 1000 - 10 * made,
          held: 0,
          in_payout: 10 * made,
        });
        const written = await scoped(LedgerTransactionModel, installation.id).find({ payoutId: id });
        expect(written).toHaveLength(1);
      }
    expect(killed).toBeGreaterThanOrEqual(8);
    stack.advance(10_000);
    await stack.runJob('identity.ledger-recovery');
    const [left] = await scoped(LedgerBalanceModel, installation.id).find({ dealerId });
    expect(left?.operations).toEqual([]);
    expect((await proveLedger(installation.id)).mismatches).toEqual([]);
  },
  patienceMs,
);
