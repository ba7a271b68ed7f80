import mongoose from 'mongoose';
import { product } from '../../../test/support/product.ts';

const world = product();

test('a platform closes its buffers before it disconnects the database', async () => {
  const { platform, close } = await world.stack.successor();
  const stored: unknown[] = [];
  for (const name of ['one', 'other'])
    platform.buffers.set(name, {
      async close() {
        stored.push(name, (await mongoose.connection.db?.admin().ping())?.ok);
      },
    });
  await close();
  expect(stored).toEqual(['one', 1, 'other', 1]);
});
