import { collection } from '../../../../../test/authorization/world/collection.ts';
import { product } from '../../../../../test/support/product.ts';
import { interceptWrites } from '../../../../../test/support/stack/interceptWrites.ts';
import { inTransaction } from '../../../../platform/mongo/inTransaction.ts';
import { nextReceipt } from './nextReceipt.ts';

const world = product();
const { market } = world;
afterEach(() => interceptWrites(null));

test('the first receipt of a year is numbered again when another process has numbered one meanwhile', async () => {
  const { installation } = market;
  const { platform } = world.stack;
  const at = new Date('2031-01-01T00:00:00Z');
  const scope = { installationId: installation.id, installation, platform };
  let isOpened = false;
  interceptWrites(async (write, run) => {
    if (write === 'receipt_counters.findOneAndUpdate' && !isOpened) {
      isOpened = true;
      const counter = { _id: `${installation.id}:2031`, installationId: installation.id, last: 1 };
      await collection('receipt_counters').insertOne(counter);
    }
    return run();
  });
  const number = await inTransaction(async (session) => {
    // The snapshot of the transaction is older than the counter.
    await collection('receipt_counters').findOne({ _id: 'none' }, { session });
    return nextReceipt(scope, at, session);
  });
  expect(number).toBe('2031-000002');
});
