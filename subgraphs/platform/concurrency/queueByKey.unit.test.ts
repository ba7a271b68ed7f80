import { queueByKey } from './queueByKey.ts';

const nextTurn = () => new Promise((done) => setImmediate(done));

test('with a concurrency of 2, work of one key runs in order and blocks no other key', async () => {
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const queue = (name: string, keys: string[], ms = 60_000) => {
    const patience = { ms, toError: () => new Error(`${name} waited too long`) };
    return queueByKey(keys, { concurrency: 2, patience }, async () => {
      begun.push(name);
      await new Promise<void>((end) => ends.push(end));
      return name;
    });
  };
  const [first, second, third] = [queue('1', ['a']), queue('2', ['a', 'b']), queue('3', ['a', 'b'])];
  const other = queue('4', ['c']);
  expect(begun).toEqual(['1', '2', '4']);
  await expect(queue('5', ['a'], 1)).rejects.toThrow('5 waited too long');
  ends.shift()?.();
  expect(await first).toBe('1');
  while (begun.length < 4) await nextTurn();
  expect(begun.at(-1)).toBe('3');
  for (const end of ends) end();
  expect([await second, await third, await other]).toEqual(['2', '3', '4']);
});

test('with a concurrency of 1, work of one key runs sequentially, also after work that fails', async () => {
  const steps: string[] = [];
  const queue = (name: string) =>
    queueByKey(['alone'], { concurrency: 1 }, async () => {
      steps.push(`${name} begins`);
      await nextTurn();
      steps.push(`${name} ends`);
      if (name === '1') throw new Error('failed');
      return name;
    });
  const results = await Promise.allSettled([queue('1'), queue('2'), queue('3')]);
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
  expect(steps).toEqual(['1', '2', '3'].flatMap((name) => [`${name} begins`, `${name} ends`]));
});
