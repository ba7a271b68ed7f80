import { openTarget, times } from './openTarget.ts';

const { database, client } = await openTarget('bank');

const accountCount = 20;
const startBalance = 100;
const clerks = 16;
const transfersEach = 20;

test('concurrent transfers neither create nor lose money, as seen at any time by any observer', async () => {
  const accounts = database.collection<{ _id: number; balance: number }>('accounts');
  const ledger = database.collection<{ from: number; to: number; amount: number }>('ledger');
  await accounts.insertMany(times(accountCount, (_id) => ({ _id, balance: startBalance })));
  await database.createCollection('ledger');
  const stream = ledger.watch([], { maxAwaitTimeMS: 500 });
  expect(await stream.tryNext()).toBeNull();

  let transfers = 0;
  const sums = new Set<number>();
  const closing = new AbortController();
  async function audit(): Promise<void> {
    const total = { $group: { _id: null, sum: { $sum: '$balance' }, least: { $min: '$balance' } } };
    while (!closing.signal.aborted) {
      const [result] = await accounts.aggregate<{ sum: number; least: number }>([total]).toArray();
      if (result) sums.add(result.least < 0 ? result.least : result.sum);
    }
  }
  async function transfer(from: number, to: number, amount: number): Promise<void> {
    const happened = await client.withSession((session) =>
      session.withTransaction(async () => {
        const source = await accounts.findOne({ _id: from }, { session });
        if ((source?.balance ?? 0) < amount) return false;
        await accounts.updateOne({ _id: from }, { $inc: { balance: -amount } }, { session });
        await accounts.updateOne({ _id: to }, { $inc: { balance: amount } }, { session });
        await ledger.insertOne({ from, to, amount }, { session });
        return true;
      }),
    );
    if (happened) transfers++;
  }
  async function clerk(): Promise<void> {
    for (let turn = 0; turn < transfersEach; turn++) {
      const from = Math.floor(Math.random() * accountCount);
      const step = 1 + Math.floor(Math.random() * (accountCount - 1));
      await transfer(from, (from + step) % accountCount, 1 + Math.floor(Math.random() * 40));
    }
  }

  const auditors = times(2, audit);
  await Promise.all(times(clerks, clerk));
  closing.abort();
  await Promise.all(auditors);

  expect([...sums]).toEqual([accountCount * startBalance]);
  expect(await ledger.countDocuments()).toBe(transfers);
  expect(await replay(await ledger.find().toArray())).toEqual(await balances());
  const watched = [];
  while (watched.length < transfers) watched.push((await stream.next()).operationType);
  expect(new Set(watched)).toEqual(new Set(['insert']));
  expect(await stream.tryNext()).toBeNull();
  await stream.close();

  async function balances(): Promise<number[]> {
    return (await accounts.find().sort({ _id: 1 }).toArray()).map(({ balance }) => balance);
  }
  async function replay(entries: { from: number; to: number; amount: number }[]): Promise<number[]> {
    const expected = Array<number>(accountCount).fill(startBalance);
    for (const { from, to, amount } of entries) {
      expected[from] = (expected[from] ?? 0) - amount;
      expected[to] = (expected[to] ?? 0) + amount;
    }
    return expected;
  }
}, 60_000);
