import { product } from '../../../../test/support/product.ts';
import { newId } from '../../../platform/ids/newId.ts';
import { inLedgerTransaction } from './inLedgerTransaction.ts';

product();

/** Transactions of a dealer that stay open until they are ended. */
function transactionsOf(dealerId: string | null) {
  let [running, most] = [0, 0];
  return {
    begin() {
      const [begun, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const done = inLedgerTransaction(dealerId, async () => {
        running += 1;
        most = Math.max(most, running);
        begun.resolve();
        await end.promise;
        running -= 1;
      });
      const close = async () => {
        end.resolve();
        await done;
      };
      return { begun: begun.promise, close };
    },
    get most() {
      return most;
    },
  };
}

test('transactions of one dealer run one after the other, also one that begins when an earlier one has ended', async () => {
  const transactions = transactionsOf(newId('dealer'));
  const [first, second] = [transactions.begin(), transactions.begin()];
  await first.begun;
  await first.close();
  const third = transactions.begin();
  await second.begun;
  // The third would begin within this transaction of another dealer if it did not wait.
  await inLedgerTransaction(newId('dealer'), async () => undefined);
  await second.close();
  await third.close();
  expect(transactions.most).toBe(1);
});

test('transactions of the house alone run concurrently', async () => {
  const transactions = transactionsOf(null);
  const [first, second] = [transactions.begin(), transactions.begin()];
  await Promise.all([first.begun, second.begun]);
  await Promise.all([first.close(), second.close()]);
  expect(transactions.most).toBe(2);
});
