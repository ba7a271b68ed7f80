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
  ['a concatenated string', "x = a + 'b';", ["x = a + '';"]],
  ['a boolean', 'x = true;', ['x = false;']],
  ['a list', 'x = [a];', ['x = [];']],
  [
    'a call without a value',
    'function f() { g(); h(); }',
    ['function f() { ; h(); }', 'function f() { g(); ; }'],
  ],
  ['a refusal', 'function f() { g; throw h; }', ['function f() { g; ; }']],
  ['a quantifier', 'x = a.every(b);', ['x = a.some(b);']],
  ['an object argument of another function, which are none', 'find({ a, b });', []],
  ['a filter of a query', 'c.find({ a, b });', ['c.find({ b });', 'c.find({ a });']],
  [
    'an operator of a query',
    'x = { a: { $lt: b } };',
    ['x = { };', 'x = { a: { $lte: b } };', 'x = { a: { } };'],
  ],
])('lists the mutants of %s', (_, source, expected) => {
  expect(changesOf(source).toSorted()).toEqual([...expected].toSorted());
});

test.each([
  ['a type', "type A = 'a' | true;"],
  ['an import', "import a from 'a';"],
  ['wording', "x = 'This is said to people.';"],
  ['the options of a query', 'c.find(a, { projection: { b: 1 } });'],
])('lists no mutants of %s', (_, source) => {
  expect(changesOf(source)).toEqual([]);
});

test('a mutant states its file, its line, and the code before and after', () => {
  const [mutant] = listMutants('a.ts', 'a;\n  if (b) c();\n');
  expect(mutant).toMatchObject({ file: 'a.ts', line: 2, before: 'if (b) c();', after: 'if (true) c();' });
});

test('a mutated module still uses every name, so that it can replace the loaded module', () => {
  for (const { source } of listMutants('a.ts', 'function f() { if (isRight(a)) g(); }')) {
    expect(source).toContain('isRight');
    expect(source).toContain('g()');
  }
});

test('an invalid file causes an error that names the file', () => {
  expect(() => listMutants('a.ts', 'if (')).toThrow('a.ts: ');
});
