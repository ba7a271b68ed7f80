import mongoose from 'mongoose';
import { openTestStack } from '../../../test/support/openTestStack.ts';

test('a platform that closes has what waits in memory stored first, while there is a database', async () => {
  const stack = await openTestStack({ subgraphs: [] });
  const stored: unknown[] = [];
  for (const name of ['one', 'other'])
    stack.platform.buffers.set(name, {
      async close() {
        stored.push(name, (await mongoose.connection.db?.admin().ping())?.ok);
      },
    });
  await stack.close();
  expect(stored).toEqual(['one', 1, 'other', 1]);
});
