import {
  BreakingChangeType,
  buildSchema,
  DangerousChangeType,
  findBreakingChanges,
  findDangerousChanges,
} from 'graphql';
import type { Severity } from '../kinds/Severity.ts';
import { diffApi } from './diffApi.ts';
import type { Usage } from './findUsage.ts';
import { readGraphqlChange } from './readGraphqlChange.ts';

const everything: Usage = { usesField: () => true, usesType: () => true };

function diff(before: string, after: string, usage = everything): [Severity, string][] {
  return diffApi(buildSchema(before), buildSchema(after), usage).map(({ severity, id }) => [severity, id]);
}

const query = 'type Query { a: Int }';

/** Change, schema before, schema after, severity and id. */
const cases: [title: string, before: string, after: string, severity: Severity, id: string][] = [
  ['a type goes', `${query} type T { a: Int }`, query, 'breaking', 'type-removed:T'],
  ['a scalar goes', `${query} scalar T`, query, 'safe', 'type-removed:T'],
  [
    'a type is of another kind',
    `${query} enum T { A }`,
    `${query} scalar T`,
    'breaking',
    'type-kind-changed:T',
  ],
  [
    'a member leaves a union',
    `${query} type A { a: Int } type B { a: Int } union T = A | B`,
    `${query} type A { a: Int } type B { a: Int } union T = A`,
    'breaking',
    'union-member-removed:T.B',
  ],
  [
    'an enum value goes',
    `${query} enum T { A B }`,
    `${query} enum T { A }`,
    'breaking',
    'enum-value-removed:T.B',
  ],
  [
    'an input demands a member',
    `${query} input T { a: Int }`,
    `${query} input T { a: Int b: Int! }`,
    'breaking',
    'required-input-field-added:T.b',
  ],
  [
    'an interface goes',
    `${query} interface I { a: Int } type T implements I { a: Int }`,
    `${query} interface I { a: Int } type T { a: Int }`,
    'breaking',
    'interface-removed:T implements I',
  ],
  [
    'a field goes',
    `${query} type T { a: Int b: Int }`,
    `${query} type T { a: Int }`,
    'breaking',
    'field-removed:T.b',
  ],
  [
    'a field has another type',
    'type Query { a: Int b: Int c: String }',
    'type Query { a: String b: Int c: String }',
    'breaking',
    'field-type-changed:Query.a',
  ],
  [
    'an argument is demanded',
    query,
    'type Query { a(b: Int!): Int }',
    'breaking',
    'required-argument-added:Query.a(b:)',
  ],
  ['an argument goes', 'type Query { a(b: Int): Int }', query, 'breaking', 'argument-removed:Query.a(b:)'],
  [
    'an argument has another type',
    'type Query { a(b: Int, c: ID): Int }',
    'type Query { a(b: ID, c: ID): Int }',
    'breaking',
    'argument-type-changed:Query.a(b:)',
  ],
  [
    'an argument loses the default that made it optional',
    'type Query { a(b: Int! = 1): Int }',
    'type Query { a(b: Int!): Int }',
    'breaking',
    'argument-became-required:Query.a(b:)',
  ],
  [
    'an input member loses the default that made it optional',
    `${query} input T { a: Int! = 1 }`,
    `${query} input T { a: Int! }`,
    'breaking',
    'input-field-became-required:T.a',
  ],
  [
    'an input takes exactly one member',
    `${query} input T { a: Int }`,
    `${query} input T @oneOf { a: Int }`,
    'breaking',
    'one-of-added:T',
  ],
  [
    'an input takes several members',
    `${query} input T @oneOf { a: Int }`,
    `${query} input T { a: Int }`,
    'dangerous',
    'one-of-removed:T',
  ],
  ['a directive goes', `${query} directive @d on FIELD`, query, 'breaking', 'directive-removed:@d'],
  [
    'a directive loses an argument',
    `${query} directive @d(a: Int) on FIELD`,
    `${query} directive @d on FIELD`,
    'breaking',
    'directive-argument-removed:@d(a:)',
  ],
  [
    'a directive demands an argument',
    `${query} directive @d on FIELD`,
    `${query} directive @d(a: Int!) on FIELD`,
    'breaking',
    'required-directive-argument-added:@d(a:)',
  ],
  [
    'a directive may stand only once',
    `${query} directive @d repeatable on FIELD`,
    `${query} directive @d on FIELD`,
    'breaking',
    'directive-repeatable-removed:@d',
  ],
  [
    'a directive may stand in fewer places',
    `${query} directive @d on FIELD | QUERY`,
    `${query} directive @d on FIELD`,
    'breaking',
    'directive-location-removed:@d on QUERY',
  ],
  [
    'an enum that is answered has a further value',
    'type Query { a: T } enum T { A }',
    'type Query { a: T } enum T { A B }',
    'dangerous',
    'enum-value-added:T.B',
  ],
  [
    'an enum that is only taken has a further value',
    'type Query { a(b: T): Int } enum T { A }',
    'type Query { a(b: T): Int } enum T { A B }',
    'safe',
    'enum-value-added:T.B',
  ],
  [
    'a union has a further member',
    `${query} type A { a: Int } type B { a: Int } union T = A`,
    `${query} type A { a: Int } type B { a: Int } union T = A | B`,
    'dangerous',
    'union-member-added:T.B',
  ],
  [
    'a type implements a further interface',
    `${query} interface I { a: Int } type T { a: Int }`,
    `${query} interface I { a: Int } type T implements I { a: Int }`,
    'dangerous',
    'interface-added:T implements I',
  ],
  [
    'an input has a further member',
    `${query} input T { a: Int }`,
    `${query} input T { a: Int b: Int }`,
    'dangerous',
    'optional-input-field-added:T.b',
  ],
  [
    'a field has a further argument',
    query,
    'type Query { a(b: Int): Int }',
    'dangerous',
    'optional-argument-added:Query.a(b:)',
  ],
  [
    'a default of an argument changes',
    'type Query { a(b: String = "x\\ny"): Int }',
    'type Query { a(b: String = "z"): Int }',
    'dangerous',
    'argument-default-changed:Query.a(b:)',
  ],
  [
    'an argument gets a default',
    'type Query { a(b: Int): Int }',
    'type Query { a(b: Int = 1): Int }',
    'dangerous',
    'argument-default-changed:Query.a(b:)',
  ],
  [
    'a default of an input member changes',
    `${query} input T { a: Int = 1 }`,
    `${query} input T { a: Int = 2 }`,
    'dangerous',
    'input-field-default-changed:T.a',
  ],
  [
    'a scalar has another specification',
    `${query} scalar T @specifiedBy(url: "https://a.example")`,
    `${query} scalar T @specifiedBy(url: "https://b.example")`,
    'dangerous',
    'scalar-specification-changed:T',
  ],
  [
    'a field is never null',
    'type Query { a: [Int] }',
    'type Query { a: [Int!]! }',
    'safe',
    'field-type-narrowed:Query.a',
  ],
  [
    'an argument may be null',
    'type Query { a(b: [Int!]!): Int }',
    'type Query { a(b: [Int]): Int }',
    'safe',
    'input-type-relaxed:Query.a(b:)',
  ],
  [
    'an input member may be null',
    `${query} input T { a: Int! }`,
    `${query} input T { a: Int }`,
    'safe',
    'input-type-relaxed:T.a',
  ],
  ['a field is new', query, 'type Query { a: Int b: Int }', 'safe', 'field-added:Query.b'],
  ['a type is new', query, `${query} enum T { A }`, 'safe', 'type-added:T'],
  [
    'an enum value is deprecated',
    `${query} enum T { A }`,
    `${query} enum T { A @deprecated }`,
    'safe',
    'deprecation-added:T.A',
  ],
  [
    'a field is no longer deprecated',
    'type Query { a: Int @deprecated }',
    query,
    'safe',
    'deprecation-removed:Query.a',
  ],
];

test.each(cases)('%s: that, and nothing else, is reported', (_, before, after, severity, id) => {
  expect(diff(before, after)).toEqual([[severity, id]]);
});

test('a new type behind an interface is reported for the interface too', () => {
  const before = `${query} interface I { a: Int }`;
  expect(diff(before, `${before} type T implements I { a: Int }`)).toEqual([
    ['safe', 'type-added:T'],
    ['dangerous', 'possible-type-added:I.T'],
  ]);
});

test('every type of change that graphql-js knows is planted above', () => {
  const planted = new Set<string>(
    cases.flatMap(([, before, after]) => {
      const schemas = [buildSchema(before), buildSchema(after)] as const;
      return [...findBreakingChanges(...schemas), ...findDangerousChanges(...schemas)].map(
        ({ type }) => type,
      );
    }),
  );
  const known = [...Object.values(BreakingChangeType), ...Object.values(DangerousChangeType)];
  expect([...planted].sort()).toEqual(known.sort());
});

test('a change in words that nobody has seen is no change without a path', () => {
  const change = { type: BreakingChangeType.FIELD_REMOVED, description: 'T.a has left.' };
  expect(() => readGraphqlChange(change)).toThrow(
    /^graphql describes FIELD_REMOVED in new words: T.a has left.$/,
  );
});
