import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type ChangeKind, changeKinds } from '../Change.ts';
import { helpUriOf } from './helpUriOf.ts';

test('the page of each rule is a file of the package', () => {
  const kinds = Object.keys(changeKinds) as ChangeKind[];
  const absent = kinds.filter((kind) => !existsSync(fileURLToPath(helpUriOf(kind, undefined))));
  expect([kinds.length > 100, absent]).toEqual([true, []]);
});

test.each(['https://docs.example.com/rules', 'https://docs.example.com/rules/'])(
  'the page of a rule is below the URL %s',
  (url) => {
    expect(helpUriOf('guard-looser', url)).toBe(
      'https://docs.example.com/rules/guards/breaking/guard-looser.md',
    );
  },
);
