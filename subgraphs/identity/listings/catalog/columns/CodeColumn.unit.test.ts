import { CodeColumn } from './CodeColumn.ts';

const valuesOf = (column: CodeColumn, row: number) => column.sets[column.codes[row] as number];

test('a row of a code column has the texts that were set last, independent of other rows', () => {
  const column = new CodeColumn(3);
  column.set(0, ['a']);
  column.set(1, ['a', 'b']);
  column.set(2, ['a']);
  column.set(0, ['c']);
  column.clear(2);
  expect([0, 1, 2].map((row) => valuesOf(column, row))).toEqual([['c'], ['a', 'b'], []]);
  column.grow(10);
  expect([0, 1, 2, 9].map((row) => valuesOf(column, row))).toEqual([['c'], ['a', 'b'], [], []]);
});

test.each([
  [
    ['a:', 'b'],
    ['a', ':b'],
  ],
  [['ab'], ['a', 'b']],
  [['1:a'], ['a']],
  [[''], []],
])('a code column distinguishes %j from %j', (first, second) => {
  const column = new CodeColumn(2);
  column.set(0, first);
  column.set(1, second);
  expect([valuesOf(column, 0), valuesOf(column, 1)]).toEqual([first, second]);
});

test('a code column removes texts that no row contains', () => {
  const column = new CodeColumn(2);
  column.set(1, ['kept']);
  for (let turn = 0; turn < 1000; turn += 1) column.set(0, [`text ${turn}`]);
  expect(column.sets.length).toBeLessThanOrEqual(4);
  expect([valuesOf(column, 0), valuesOf(column, 1)]).toEqual([['text 999'], ['kept']]);
});
