import { checkAdjustment } from './checkAdjustment.ts';

const lines = (count: number, currency = 'EUR') =>
  Array.from({ length: count }, (_, index) => ({ account: 'losses', currency, amount: index + 1 }));
const pointersOf = (...args: Parameters<typeof checkAdjustment>) =>
  checkAdjustment(...args).map(({ pointer }) => pointer);

test.each([
  [1, ['#/postings']],
  [2, []],
  [20, []],
  [21, ['#/postings']],
])('an adjustment of %i lines has the faults %j', (count, pointers) => {
  expect(pointersOf('A reason', lines(count))).toEqual(pointers);
});

test('a currency that does not exist is a fault of every line, also where all lines agree on it', () => {
  expect(pointersOf('A reason', lines(2, 'ZZZ'))).toEqual([
    '#/postings/0/amount/currency',
    '#/postings/1/amount/currency',
  ]);
});
