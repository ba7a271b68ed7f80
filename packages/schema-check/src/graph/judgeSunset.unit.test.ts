import { buildSchema } from 'graphql';
import { diffApi } from './diffApi.ts';
import { findUsage } from './findUsage.ts';
import { judgeSunset } from './judgeSunset.ts';

const base = buildSchema(`
  type Query {
    a: Int
    b: Int @deprecated(reason: "Use a. Removed after 2027-05-31.")
    c(d: Int @deprecated(reason: "Has no effect. Removed after 2027-05-31.")): Sort
    e: Int @deprecated(reason: "Use a.")
  }
  enum Sort { NEW  OLD @deprecated(reason: "Use NEW. Removed after 2027-05-31.") }
`);
const changesOf = (next: string, today: string) =>
  diffApi(base, buildSchema(next), findUsage(base, ['{ a }']))
    .map((change) => judgeSunset(change, base, today))
    .map(({ id, severity }) => `${severity} ${id}`);
const without = 'type Query { a: Int  c: Sort } enum Sort { NEW }';

test('a deprecated member may not be removed before the end of its last day', () => {
  expect(changesOf(without, '2027-05-31')).toEqual(
    expect.arrayContaining([
      'breaking field-removed:Query.b',
      'breaking argument-removed:Query.c(d:)',
      'breaking enum-value-removed:Sort.OLD',
      'dangerous field-removed:Query.e',
    ]),
  );
});

test('a deprecated field without a known use may be removed after its last day', () => {
  expect(changesOf(without, '2027-06-01')).toContain('dangerous field-removed:Query.b');
});
