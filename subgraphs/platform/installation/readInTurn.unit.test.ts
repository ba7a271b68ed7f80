import { readInTurn } from './readInTurn.ts';

/** A source whose readings end when they are told to. */
function openSource() {
  const ends: ((value: string) => void)[] = [];
  const shown: string[] = [];
  const again = readInTurn(
    () => new Promise<string>((end) => ends.push(end)),
    (value) => shown.push(value),
  );
  return { ends, shown, again };
}

test('a reading that ends late does not take back what a later one found', async () => {
  const { ends, shown, again } = openSource();
  const readings = [again(), again(), again()];
  ends[1]?.('second');
  await readings[1];
  ends[0]?.('first');
  ends[2]?.('third');
  await Promise.all(readings);
  expect(shown).toEqual(['second', 'third']);
});

test('a reading that fails is told to who asked, and the next one is shown', async () => {
  let isDown = true;
  const shown: string[] = [];
  const again = readInTurn(
    async () => {
      if (isDown) throw new Error('down');
      return 'up';
    },
    (value) => shown.push(value),
  );
  await expect(again()).rejects.toThrow('down');
  isDown = false;
  await again();
  expect(shown).toEqual(['up']);
});
