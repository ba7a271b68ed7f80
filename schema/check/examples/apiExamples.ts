import type { graphKinds } from '../kinds/graphKinds.ts';
import type { Examples } from './Example.ts';

/** Public schema before and after, and the operations that are known; without any, everything counts as used. */
export type ApiPlant = readonly [before: string, after: string, ...operations: string[]];

const query = 'type Query { a: Int }';

/** Definitions beside a query, then others. */
const beside = (before: string, after: string, ...operations: string[]): ApiPlant => [
  `${query} ${before}`,
  `${query} ${after}`,
  ...operations,
];

/** An argument of a field, then another one or the same with another type. */
const argument = (before: string, after: string): ApiPlant => [
  `type Query { a(c: ID ${before}): Int }`,
  `type Query { a(c: ID ${after}): Int }`,
];

const union = (members: string) => `type A { a: Int } type B { a: Int } union T = ${members}`;
const list = (type: string) => `type Query { list: [T] } type T ${type}`;

/** Changes of the public GraphQL schema. */
export const apiExamples: Examples<typeof graphKinds, ApiPlant> = {
  'type-removed': [
    { path: 'T', caught: beside('type T { a: Int }', ''), passed: beside('type T { a: Int }', '', '{ a }') },
    { path: 'T', caught: beside('enum T { A }', ''), passed: beside('scalar T', '') },
  ],
  'type-kind-changed': [
    {
      path: 'T',
      caught: beside('enum T { A }', 'scalar T'),
      passed: beside('enum T { A }', 'enum T { A B }'),
    },
  ],
  'union-member-removed': [
    { path: 'T.B', caught: beside(union('A | B'), union('A')), passed: beside(union('A'), union('A | B')) },
  ],
  'enum-value-removed': [
    {
      path: 'T.B',
      caught: beside('enum T { A B }', 'enum T { A }'),
      passed: beside('enum T { A B }', 'enum T { A B @deprecated }'),
    },
  ],
  'required-input-field-added': [
    {
      path: 'T.b',
      caught: beside('input T { a: Int }', 'input T { a: Int b: Int! }'),
      passed: beside('input T { a: Int }', 'input T { a: Int b: Int! = 1 }'),
    },
  ],
  'interface-removed': [
    {
      path: 'T implements I',
      caught: beside(
        'interface I { a: Int } type T implements I { a: Int }',
        'interface I { a: Int } type T { a: Int }',
      ),
      passed: beside(
        'interface I { a: Int } type T { a: Int }',
        'interface I { a: Int } type T implements I { a: Int }',
      ),
    },
  ],
  'field-removed': [
    {
      path: 'T.b',
      caught: [list('{ a: Int b: Int }'), list('{ a: Int }'), '{ list { ...f } } fragment f on T { b }'],
      passed: [list('{ a: Int b: Int }'), list('{ a: Int }'), '{ list { a } }'],
    },
    {
      // What cannot be read may use anything.
      path: 'T.b',
      caught: [list('{ a: Int b: Int }'), list('{ a: Int }'), 'query {'],
      passed: [list('{ a: Int b: Int }'), list('{ a: Int }'), 'query q { list { a } }'],
    },
    {
      path: 'T.b',
      caught: [
        'type Query { a(t: T): Int } input T { a: Int b: Int }',
        'type Query { a(t: T): Int } input T { a: Int }',
        'query q($t: T) { a(t: $t) }',
      ],
      passed: [
        'type Query { a(t: T): Int c: Int } input T { a: Int b: Int }',
        'type Query { a(t: T): Int c: Int } input T { a: Int }',
        '{ c }',
      ],
    },
  ],
  'field-type-changed': [
    {
      path: 'Query.a',
      caught: ['type Query { a: Int! }', query],
      passed: [query, 'type Query { a: Int! }'],
    },
    {
      path: 'Query.a',
      caught: ['type Query { a: [Int!] b: String }', 'type Query { a: [String!] b: String }'],
      passed: ['type Query { a: [Int!] b: String }', 'type Query { a: [Int!]! b: String }'],
    },
  ],
  'required-argument-added': [
    { path: 'Query.a(b:)', caught: argument('', 'b: Int!'), passed: argument('', 'b: Int! = 1') },
  ],
  'argument-removed': [
    { path: 'Query.a(b:)', caught: argument('b: Int', ''), passed: argument('b: Int', 'b: Int @deprecated') },
  ],
  'argument-type-changed': [
    { path: 'Query.a(b:)', caught: argument('b: Int', 'b: Int!'), passed: argument('b: Int!', 'b: Int') },
    { path: 'Query.a(b:)', caught: argument('b: Int', 'b: ID'), passed: argument('b: [Int]!', 'b: [Int]') },
  ],
  'argument-became-required': [
    {
      path: 'Query.a(b:)',
      caught: argument('b: Int! = 1', 'b: Int!'),
      passed: argument('b: Int! = 1', 'b: Int = 1'),
    },
  ],
  'input-field-became-required': [
    {
      path: 'T.a',
      caught: beside('input T { a: Int! = 1 }', 'input T { a: Int! }'),
      passed: beside('input T { a: Int! = 1 }', 'input T { a: Int! = 2 }'),
    },
  ],
  'one-of-added': [
    {
      path: 'T',
      caught: beside('input T { a: Int }', 'input T @oneOf { a: Int }'),
      passed: beside('input T @oneOf { a: Int }', 'input T { a: Int }'),
    },
  ],
  'directive-removed': [
    { path: '@d', caught: beside('directive @d on FIELD', ''), passed: beside('', 'directive @d on FIELD') },
  ],
  'directive-argument-removed': [
    {
      path: '@d(a:)',
      caught: beside('directive @d(a: Int) on FIELD', 'directive @d on FIELD'),
      passed: beside('directive @d on FIELD', 'directive @d(a: Int) on FIELD'),
    },
  ],
  'required-directive-argument-added': [
    {
      path: '@d(a:)',
      caught: beside('directive @d on FIELD', 'directive @d(a: Int!) on FIELD'),
      passed: beside('directive @d on FIELD', 'directive @d(a: Int! = 1) on FIELD'),
    },
  ],
  'directive-repeatable-removed': [
    {
      path: '@d',
      caught: beside('directive @d repeatable on FIELD', 'directive @d on FIELD'),
      passed: beside('directive @d on FIELD', 'directive @d repeatable on FIELD'),
    },
  ],
  'directive-location-removed': [
    {
      path: '@d on QUERY',
      caught: beside('directive @d on FIELD | QUERY', 'directive @d on FIELD'),
      passed: beside('directive @d on FIELD', 'directive @d on FIELD | QUERY'),
    },
  ],
  'enum-value-added': [
    {
      path: 'T.B',
      caught: ['type Query { a: T } enum T { A }', 'type Query { a: T } enum T { A B }'],
      passed: ['type Query { a(b: T): Int } enum T { A }', 'type Query { a(b: T): Int } enum T { A B }'],
    },
  ],
  'union-member-added': [
    {
      path: 'T.B',
      caught: beside(union('A'), union('A | B')),
      passed: beside(union('A | B'), union('B | A')),
    },
  ],
  'possible-type-added': [
    {
      path: 'I.T',
      caught: beside('interface I { a: Int }', 'interface I { a: Int } type T implements I { a: Int }'),
      passed: beside('', 'interface I { a: Int } type T implements I { a: Int }'),
    },
  ],
  'interface-added': [
    {
      path: 'T implements I',
      caught: beside(
        'interface I { a: Int } type T { a: Int }',
        'interface I { a: Int } type T implements I { a: Int }',
      ),
      passed: beside('type T { a: Int }', 'type T { a: Int } interface I { a: Int }'),
    },
  ],
  'optional-input-field-added': [
    {
      path: 'T.b',
      caught: beside('input T { a: Int }', 'input T { a: Int b: Int }'),
      passed: beside('input T { a: Int b: Int }', 'input T { b: Int a: Int }'),
    },
  ],
  'optional-argument-added': [
    { path: 'Query.a(b:)', caught: argument('', 'b: Int'), passed: argument('b: Int!', 'b: Int') },
  ],
  'argument-default-changed': [
    {
      path: 'Query.a(b:)',
      caught: argument('b: Int = 1', 'b: Int = 2'),
      passed: argument('b: [Int] = [1]', 'b: [Int] = 1'),
    },
    { path: 'Query.a(b:)', caught: argument('b: Int', 'b: Int = 1'), passed: argument('b: Int!', 'b: Int') },
  ],
  'input-field-default-changed': [
    {
      path: 'T.a',
      caught: beside('input T { a: Int = 1 }', 'input T { a: Int = 2 }'),
      passed: beside('input T { a: [Int] = [1] }', 'input T { a: [Int] = 1 }'),
    },
  ],
  'one-of-removed': [
    {
      path: 'T',
      caught: beside('input T @oneOf { a: Int }', 'input T { a: Int }'),
      passed: beside('input T @oneOf { a: Int }', '"Words." input T @oneOf { a: Int }'),
    },
  ],
  'scalar-specification-changed': [
    {
      path: 'T',
      caught: beside(
        'scalar T @specifiedBy(url: "https://a.example")',
        'scalar T @specifiedBy(url: "https://b.example")',
      ),
      passed: beside('scalar T', '"Words." scalar T'),
    },
  ],
  'type-added': [
    { path: 'T', caught: beside('', 'enum T { A }'), passed: beside('enum T { A }', 'enum T { A B }') },
  ],
  'field-added': [
    {
      path: 'Query.b',
      caught: [query, 'type Query { a: Int b: Int }'],
      passed: [query, 'type Query { a: Int! }'],
    },
  ],
  'field-type-narrowed': [
    {
      path: 'Query.a',
      caught: ['type Query { a: [Int] }', 'type Query { a: [Int!]! }'],
      passed: [query, 'type Query { a: Int b: Int! }'],
    },
  ],
  'input-type-relaxed': [
    {
      path: 'Query.a(b:)',
      caught: argument('b: [Int!]!', 'b: [Int]'),
      passed: argument('b: Int', 'b: Int = 1'),
    },
    {
      path: 'T.a',
      caught: beside('input T { a: Int! }', 'input T { a: Int }'),
      passed: beside('input T { a: Int }', 'input T { a: Int b: Int }'),
    },
  ],
  'deprecation-added': [
    {
      path: 'T.A',
      caught: beside('enum T { A }', 'enum T { A @deprecated }'),
      passed: beside('enum T { A @deprecated(reason: "a") }', 'enum T { A @deprecated(reason: "b") }'),
    },
  ],
  'deprecation-removed': [
    {
      path: 'Query.a',
      caught: ['type Query { a: Int @deprecated }', query],
      passed: [
        'type Query { a: Int @deprecated(reason: "a") }',
        'type Query { a: Int @deprecated(reason: "b") }',
      ],
    },
  ],
};
