import { codeNameOf, codeOfSqlState, isTransientSqlState, unpackSqlState } from './errorCodes.ts';

/** The packing of PostgreSQL's MAKE_SQLSTATE. */
function pack(state: string): number {
  return [...state].reduce(
    (sum, character, index) => sum + ((character.charCodeAt(0) - 48) & 0x3f) * 64 ** index,
    0,
  );
}

test.each(['23505', 'M001C', '40P01', 'M00CO'])('unpacks the packed SQLSTATE %s', (state) => {
  expect(unpackSqlState(pack(state))).toBe(state);
});

test.each([
  ['23505', 11_000],
  ['23P01', 11_000],
  ['M001C', 11_000],
  ['40001', 112],
  ['40P01', 112],
  ['57014', 50],
  ['57P01', 91],
  ['57P02', 91],
  ['57P03', 91],
  ['M00CO', 121],
  ['M000E', 43],
])('reports SQLSTATE %s to clients as code %i', (state, code) => {
  expect(codeOfSqlState(state, false)).toBe(code);
});

test('a lock timeout is a conflict inside a transaction and a timeout outside', () => {
  expect([codeOfSqlState('55P03', true), codeOfSqlState('55P03', false)]).toEqual([112, 24]);
});

test('an error that DocumentDB raises is never internal, and an unexplained error of PostgreSQL is', () => {
  expect(codeOfSqlState('M00ZZ', false)).toBe(2);
  expect(codeOfSqlState('XX000', false)).toBeUndefined();
});

test('only conflicts are transient', () => {
  expect(['40001', '40P01', '55P03', '23505', undefined].map(isTransientSqlState)).toEqual([
    true,
    true,
    true,
    false,
    false,
  ]);
});

test('a code without a name is named by its number', () => {
  expect([codeNameOf(11_000), codeNameOf(40_999)]).toEqual(['DuplicateKey', 'Location40999']);
});
