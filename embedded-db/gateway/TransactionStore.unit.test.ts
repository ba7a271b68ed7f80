import type { ClientConnection } from './Command.ts';
import type { PostgresConnection } from './postgres/PostgresConnection.ts';
import { ConnectionLost } from './postgres/PostgresError.ts';
import type { PostgresPool } from './postgres/PostgresPool.ts';
import { TransactionStore } from './TransactionStore.ts';

/** A transaction whose COMMIT is answered by `commit`. */
async function beginWith(commit: () => Promise<void>) {
  const statements: string[] = [];
  const connection = {
    execute(text: string) {
      statements.push(text);
      return text === 'COMMIT' ? commit() : Promise.resolve();
    },
  } as unknown as PostgresConnection;
  const pool = { acquire: async () => connection, release() {}, discard() {} } as unknown as PostgresPool;
  const store = new TransactionStore(pool, () => {});
  const transaction = await store.begin('session', 1n, { isClosed: false } as ClientConnection);
  return { store, transaction, commits: () => statements.filter((text) => text === 'COMMIT').length };
}

test('a commit whose reply was lost with the engine is not reported as an abort that the client would retry', async () => {
  const { store, transaction, commits } = await beginWith(() => Promise.reject(new ConnectionLost('gone')));
  await expect(store.commit(transaction)).rejects.toThrow(ConnectionLost);
  await expect(store.commit(transaction)).rejects.toThrow(ConnectionLost);
  expect(commits()).toBe(1);
});

test('a commit that is requested again while it runs returns its outcome', async () => {
  let finish = () => {};
  const { store, transaction, commits } = await beginWith(() => new Promise((resolve) => (finish = resolve)));
  const both = [store.commit(transaction), store.commit(transaction)];
  finish();
  await Promise.all(both);
  expect([transaction.state, commits()]).toEqual(['committed', 1]);
});

test('the commit of an aborted transaction fails and may be retried from the start', async () => {
  const { store, transaction } = await beginWith(() => Promise.resolve());
  await store.abort(transaction);
  await expect(store.commit(transaction)).rejects.toMatchObject({
    message: 'Transaction 1 has been aborted',
  });
});
