import { readInTurn } from './readInTurn.ts';

test('a read that ends late does not replace the result of a later read', async () => {
  const ends: ((value: string) => void)[] = [];
  const shown: string[] = [];
  const again = readInTurn(
    () => new Promise<string>((end) => ends.push(end)),
    (value) => shown.push(value),
  );
  const readings = [again(), again(), again()];
  ends[1]?.('second');
  await readings[1];
  ends[0]?.('first');
  ends[2]?.('third');
  await Promise.all(readings);
  expect(shown).toEqual(['second', 'third']);
});

test('a read that fails rejects, and the result of the next read is applied', async () => {
  const outcomes = [Promise.reject(new Error('down')), Promise.resolve('up')];
  const shown: string[] = [];
  const again = readInTurn(
    async () => outcomes.shift() ?? '',
    (value) => shown.push(value),
  );
  await expect(again()).rejects.toThrow('down');
  await again();
  expect(shown).toEqual(['up']);
});
