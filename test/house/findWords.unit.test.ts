import { wordsIn } from './findWords.ts';

test.each([
  ['a.md', 'The link is good for whoever has it.', 'whoever'],
  ['a.md', 'Nobody reads it.', 'Nobody'],
  ['a.graphql', '"Whether a topic is told by mail."', 'told'],
  ['a.ts', '// Is changed by hand.', 'by hand'],
  ['a.ts', '/** A user in his installation. */', 'his'],
  ['a.ts', '  /** What became of it. */', 'What became of'],
  ['a.ts', 'const a = 1; // Not valid any more.', 'any more'],
  ['a.test.ts', "test('somebody signs in', () => {});", 'somebody'],
])('finds a refused word in the prose of %s: %s', (file, line, word) => {
  expect(wordsIn(file, `\n${line}\n`)).toEqual([
    { file, line: 2, word, instead: expect.stringMatching(/\w/) },
  ]);
});

test.each([
  ['a.md', 'PostgreSQL runs as `nobody`.'],
  ['a.ts', "const user = 'nobody';"],
  ['a.ts', '/** The caller, who may be anonymous. */'],
  ['a.test.ts', "test('a user signs in', () => signIn('nobody'));"],
])('finds no refused word in %s: %s', (file, line) => {
  expect(wordsIn(file, line)).toEqual([]);
});
