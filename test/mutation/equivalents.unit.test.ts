import { findStale } from './equivalents.ts';
import { readScope } from './scope.ts';

test('every folder of the mutation scope has files and tests', () => {
  const scope = readScope();
  expect(scope.length).toBeGreaterThan(0);
  for (const { files, tests } of scope) {
    expect(files).not.toHaveLength(0);
    expect(tests).not.toHaveLength(0);
  }
});

test('every listed equivalent matches a mutant of the scope', () => {
  expect(findStale(readScope())).toEqual([]);
});
