import { listMutants } from './listMutants.ts';

const changesOf = (source: string) => listMutants('a.ts', source).map(({ after }) => after);

test.each<[string, string, readonly string[]]>([
  ['a condition', 'if (a) b();', ['if (true) b();', 'if (false) b();']],
  ['a compared condition', 'if (a < b) c();', ['if (a <= b) c();', 'if (true) c();', 'if (false) c();']],
  ['a comparison', 'x = a === b;', ['x = a !== b;']],
  ['both sides of a conjunction', 'x = a && b;', ['x = (a);', 'x = (b);']],
  ['a default', 'x = a ?? 1;', ['x = (a);', 'x = (1);']],
  ['a negation', 'x = !a;', ['x = (a);']],
  ['an addition of numbers', 'x = a + b;', ['x = a - b;']],
  ['a text, which is not added up', "x = a + 'b';", ["x = a + '';"]],
  ['a boolean', 'x = true;', ['x = false;']],
  ['a list', 'x = [a];', ['x = [];']],
  [
    'a call without a value',
    'function f() { g(); h(); }',
    ['function f() { ; h(); }', 'function f() { g(); ; }'],
  ],
  ['a refusal', 'function f() { g; throw h; }', ['function f() { g; ; }']],
  ['a quantifier', 'x = a.every(b);', ['x = a.some(b);']],
  ['a filter', 'find({ a, b });', []],
  ['a filter of a query', 'c.find({ a, b });', ['c.find({ b });', 'c.find({ a });']],
  [
    'an operator of a query',
    'x = { a: { $lt: b } };',
    ['x = { };', 'x = { a: { $lte: b } };', 'x = { a: { } };'],
  ],
])('mutants of %s', (_, source, expected) => {
  expect(changesOf(source).toSorted()).toEqual([...expected].toSorted());
});

test.each([
  ['a type', "type A = 'a' | true;"],
  ['an import', "import a from 'a';"],
  ['wording', "x = 'This is said to people.';"],
  ['the options of a query', 'c.find(a, { projection: { b: 1 } });'],
])('%s has no mutants', (_, source) => {
  expect(changesOf(source)).toEqual([]);
});

test('a mutant names its file, its line and what stood there', () => {
  const [mutant] = listMutants('a.ts', 'a;\n  if (b) c();\n');
  expect(mutant).toMatchObject({ file: 'a.ts', line: 2, before: 'if (b) c();', after: 'if (true) c();' });
});

test('a mutated module still uses every name, so that it fits into the module that is loaded', () => {
  for (const { source } of listMutants('a.ts', 'function f() { if (isRight(a)) g(); }')) {
    expect(source).toContain('isRight');
    expect(source).toContain('g()');
  }
});

test('a file that cannot be parsed is an error that names it', () => {
  expect(() => listMutants('a.ts', 'if (')).toThrow('a.ts: ');
});
