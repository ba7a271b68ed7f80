import { KeyedQueue } from './KeyedQueue.ts';
import { ConnectionLost } from './postgres/PostgresError.ts';
import { RetryableWrites } from './RetryableWrites.ts';
import { encode } from './wire/bson.ts';

const reply = encode({ ok: 1 });

test('a repeated transaction number returns the first reply, and a new number runs', async () => {
  const writes = new RetryableWrites();
  let runs = 0;
  const work = async () => {
    runs++;
    return reply;
  };
  await Promise.all([writes.run('session', 1n, work), writes.run('session', 1n, work)]);
  expect(runs).toBe(1);
  await writes.run('session', 2n, work);
  await writes.run('another session', 2n, work);
  expect(runs).toBe(3);
});

test('a failed write may be retried', async () => {
  const writes = new RetryableWrites();
  await expect(writes.run('session', 1n, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await writes.run('session', 1n, async () => reply)).toBe(reply);
});

test('a write that was running when the engine was lost is not run again', async () => {
  const writes = new RetryableWrites();
  const lost = () => Promise.reject(new ConnectionLost('gone'));
  await expect(writes.run('session', 1n, lost)).rejects.toThrow('gone');
  await expect(writes.run('session', 1n, async () => reply)).rejects.toThrow('gone');
});

test('tasks of one key run one after the other, also after a failure, and keys do not wait for each other', async () => {
  const queue = new KeyedQueue();
  const order: string[] = [];
  let releaseFirst = () => {};
  const first = queue.run('a', async () => {
    await new Promise<void>((resolve) => {
      releaseFirst = resolve;
    });
    order.push('a1');
    throw new Error('no');
  });
  const second = queue.run('a', async () => order.push('a2'));
  await queue.run('b', async () => order.push('b'));
  releaseFirst();
  await expect(first).rejects.toThrow('no');
  await second;
  expect(order).toEqual(['b', 'a1', 'a2']);
});
