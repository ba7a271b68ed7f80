import { listMutants } from './listMutants.ts';
import { sampleMutants } from './sampleMutants.ts';

const sum = 'export const add = (a: number, b: number) => (a < b ? a + b : a * b);\n';
const mutants = [...listMutants('one.ts', sum), ...listMutants('two.ts', sum)];
const textsOf = (count: number, seed: string) =>
  sampleMutants(mutants, { count, seed }).map(({ file, after }) => `${file} ${after}`);

test('a sample of mutants has the stated size, the order of the mutants, and no mutant twice', () => {
  const sample = sampleMutants(mutants, { count: 5, seed: 'a' });
  expect(sample).toHaveLength(5);
  expect(sample).toEqual(mutants.filter((mutant) => sample.includes(mutant)));
});

test('a sample is the same for the same seed and another one for another seed', () => {
  expect(textsOf(5, 'a')).toEqual(textsOf(5, 'a'));
  const others = ['b', 'c', 'd'].map((seed) => textsOf(5, seed).join());
  expect(others.some((other) => other !== textsOf(5, 'a').join())).toBe(true);
});

test('a sample that is larger than the number of mutants has all of them', () => {
  expect(sampleMutants(mutants, { count: 1000, seed: 'a' })).toEqual(mutants);
});
