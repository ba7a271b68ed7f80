import type { graphKinds } from '../src/kinds/graphKinds.ts';
import { type Examples, example } from './Example.ts';

/** Public schema before and after, and the registered operations. Without operations, all fields count as used. */
export type GraphPlant = readonly [before: string, after: string, ...operations: string[]];

const query = 'type Query { a: Int }';

/** Definitions beside a query, before and after. */
const beside = (before: string, after: string, ...operations: string[]): GraphPlant => [
  `${query} ${before}`,
  `${query} ${after}`,
  ...operations,
];

/** An argument of a field, before and after. */
const argument = (before: string, after: string): GraphPlant => [
  `type Query { a(c: ID ${before}): Int }`,
  `type Query { a(c: ID ${after}): Int }`,
];

/** A nullable list, with marks of its nullability. */
const marked = (marks: string) =>
  `directive @semanticNonNull(levels: [Int!]! = [0]) on FIELD_DEFINITION type Query { a: [Int] ${marks} }`;

const union = (members: string) => `type A { a: Int } type B { a: Int } union T = ${members}`;
const list = (type: string) => `type Query { list: [T] } type T ${type}`;

/** Changes of the public GraphQL schema. */
export const graphExamples: Examples<typeof graphKinds, GraphPlant> = {
  'type-removed': [
    example('T', beside('type T { a: Int }', ''), beside('type T { a: Int }', '', '{ a }')),
    example('T', beside('enum T { A }', ''), beside('scalar T', '')),
  ],
  'type-kind-changed': [
    example('T', beside('enum T { A }', 'scalar T'), beside('enum T { A }', 'enum T { A B }')),
  ],
  'union-member-removed': [
    example('T.B', beside(union('A | B'), union('A')), beside(union('A'), union('A | B'))),
  ],
  'enum-value-removed': [
    example(
      'T.B',
      beside('enum T { A B }', 'enum T { A }'),
      beside('enum T { A B }', 'enum T { A B @deprecated }'),
    ),
  ],
  'required-input-field-added': [
    example(
      'T.b',
      beside('input T { a: Int }', 'input T { a: Int b: Int! }'),
      beside('input T { a: Int }', 'input T { a: Int b: Int! = 1 }'),
    ),
  ],
  'interface-removed': [
    example(
      'T implements I',
      beside(
        'interface I { a: Int } type T implements I { a: Int }',
        'interface I { a: Int } type T { a: Int }',
      ),
      beside(
        'interface I { a: Int } type T { a: Int }',
        'interface I { a: Int } type T implements I { a: Int }',
      ),
    ),
  ],
  'field-removed': [
    example(
      'T.b',
      [list('{ a: Int b: Int }'), list('{ a: Int }'), '{ list { ...f } } fragment f on T { b }'],
      [list('{ a: Int b: Int }'), list('{ a: Int }'), '{ list { a } }'],
    ),
    // An operation that cannot be parsed counts as using all fields.
    example(
      'T.b',
      [list('{ a: Int b: Int }'), list('{ a: Int }'), 'query {'],
      [list('{ a: Int b: Int }'), list('{ a: Int }'), 'query q { list { a } }'],
    ),
    example(
      'T.b',
      [
        'type Query { a(t: T): Int } input T { a: Int b: Int }',
        'type Query { a(t: T): Int } input T { a: Int }',
        'query q($t: T) { a(t: $t) }',
      ],
      [
        'type Query { a(t: T): Int c: Int } input T { a: Int b: Int }',
        'type Query { a(t: T): Int c: Int } input T { a: Int }',
        '{ c }',
      ],
    ),
  ],
  'field-type-changed': [
    example('Query.a', ['type Query { a: Int! }', query], [query, 'type Query { a: Int! }']),
    example(
      'Query.a',
      ['type Query { a: [Int!] b: String }', 'type Query { a: [String!] b: String }'],
      ['type Query { a: [Int!] b: String }', 'type Query { a: [Int!]! b: String }'],
    ),
  ],
  'semantic-non-null-removed': [
    example(
      'Query.a',
      [marked('@semanticNonNull'), marked('')],
      [marked('@semanticNonNull'), marked('').replace('[Int]', '[Int]!')],
    ),
    example(
      'Query.a',
      [marked('@semanticNonNull(levels: [0, 1])'), marked('@semanticNonNull')],
      [marked('@semanticNonNull'), marked('@semanticNonNull(levels: [0, 1])')],
    ),
  ],
  'required-argument-added': [example('Query.a(b:)', argument('', 'b: Int!'), argument('', 'b: Int! = 1'))],
  'argument-removed': [
    example('Query.a(b:)', argument('b: Int', ''), argument('b: Int', 'b: Int @deprecated')),
  ],
  'argument-type-changed': [
    example('Query.a(b:)', argument('b: Int', 'b: Int!'), argument('b: Int!', 'b: Int')),
    example('Query.a(b:)', argument('b: Int', 'b: ID'), argument('b: [Int]!', 'b: [Int]')),
  ],
  'argument-became-required': [
    example('Query.a(b:)', argument('b: Int! = 1', 'b: Int!'), argument('b: Int! = 1', 'b: Int = 1')),
  ],
  'input-field-became-required': [
    example(
      'T.a',
      beside('input T { a: Int! = 1 }', 'input T { a: Int! }'),
      beside('input T { a: Int! = 1 }', 'input T { a: Int! = 2 }'),
    ),
  ],
  'one-of-added': [
    example(
      'T',
      beside('input T { a: Int }', 'input T @oneOf { a: Int }'),
      beside('input T @oneOf { a: Int }', 'input T { a: Int }'),
    ),
  ],
  'directive-removed': [
    example('@d', beside('directive @d on FIELD', ''), beside('', 'directive @d on FIELD')),
  ],
  'directive-argument-removed': [
    example(
      '@d(a:)',
      beside('directive @d(a: Int) on FIELD', 'directive @d on FIELD'),
      beside('directive @d on FIELD', 'directive @d(a: Int) on FIELD'),
    ),
  ],
  'required-directive-argument-added': [
    example(
      '@d(a:)',
      beside('directive @d on FIELD', 'directive @d(a: Int!) on FIELD'),
      beside('directive @d on FIELD', 'directive @d(a: Int! = 1) on FIELD'),
    ),
  ],
  'directive-repeatable-removed': [
    example(
      '@d',
      beside('directive @d repeatable on FIELD', 'directive @d on FIELD'),
      beside('directive @d on FIELD', 'directive @d repeatable on FIELD'),
    ),
  ],
  'directive-location-removed': [
    example(
      '@d on QUERY',
      beside('directive @d on FIELD | QUERY', 'directive @d on FIELD'),
      beside('directive @d on FIELD', 'directive @d on FIELD | QUERY'),
    ),
  ],
  'enum-value-added': [
    example(
      'T.B',
      ['type Query { a: T } enum T { A }', 'type Query { a: T } enum T { A B }'],
      ['type Query { a(b: T): Int } enum T { A }', 'type Query { a(b: T): Int } enum T { A B }'],
    ),
  ],
  'union-member-added': [
    example('T.B', beside(union('A'), union('A | B')), beside(union('A | B'), union('B | A'))),
  ],
  'possible-type-added': [
    example(
      'I.T',
      beside('interface I { a: Int }', 'interface I { a: Int } type T implements I { a: Int }'),
      beside('', 'interface I { a: Int } type T implements I { a: Int }'),
    ),
  ],
  'interface-added': [
    example(
      'T implements I',
      beside(
        'interface I { a: Int } type T { a: Int }',
        'interface I { a: Int } type T implements I { a: Int }',
      ),
      beside('type T { a: Int }', 'type T { a: Int } interface I { a: Int }'),
    ),
  ],
  'optional-input-field-added': [
    example(
      'T.b',
      beside('input T { a: Int }', 'input T { a: Int b: Int }'),
      beside('input T { a: Int b: Int }', 'input T { b: Int a: Int }'),
    ),
  ],
  'optional-argument-added': [example('Query.a(b:)', argument('', 'b: Int'), argument('b: Int!', 'b: Int'))],
  'argument-default-changed': [
    example('Query.a(b:)', argument('b: Int = 1', 'b: Int = 2'), argument('b: [Int] = [1]', 'b: [Int] = 1')),
    example('Query.a(b:)', argument('b: Int', 'b: Int = 1'), argument('b: Int!', 'b: Int')),
  ],
  'input-field-default-changed': [
    example(
      'T.a',
      beside('input T { a: Int = 1 }', 'input T { a: Int = 2 }'),
      beside('input T { a: [Int] = [1] }', 'input T { a: [Int] = 1 }'),
    ),
  ],
  'one-of-removed': [
    example(
      'T',
      beside('input T @oneOf { a: Int }', 'input T { a: Int }'),
      beside('input T @oneOf { a: Int }', '"Words." input T @oneOf { a: Int }'),
    ),
  ],
  'scalar-specification-changed': [
    example(
      'T',
      beside(
        'scalar T @specifiedBy(url: "https://a.example")',
        'scalar T @specifiedBy(url: "https://b.example")',
      ),
      beside('scalar T', '"Words." scalar T'),
    ),
  ],
  'type-added': [example('T', beside('', 'enum T { A }'), beside('enum T { A }', 'enum T { A B }'))],
  'field-added': [
    example('Query.b', [query, 'type Query { a: Int b: Int }'], [query, 'type Query { a: Int! }']),
  ],
  'field-type-narrowed': [
    example(
      'Query.a',
      ['type Query { a: [Int] }', 'type Query { a: [Int!]! }'],
      [query, 'type Query { a: Int b: Int! }'],
    ),
  ],
  'semantic-non-null-added': [
    example(
      'Query.a',
      [marked(''), marked('@semanticNonNull')],
      [marked('').replace('[Int]', '[Int]!'), marked('@semanticNonNull').replace('[Int]', '[Int]!')],
    ),
  ],
  'input-type-relaxed': [
    example('Query.a(b:)', argument('b: [Int!]!', 'b: [Int]'), argument('b: Int', 'b: Int = 1')),
    example(
      'T.a',
      beside('input T { a: Int! }', 'input T { a: Int }'),
      beside('input T { a: Int }', 'input T { a: Int b: Int }'),
    ),
  ],
  'deprecation-added': [
    example(
      'T.A',
      beside('enum T { A }', 'enum T { A @deprecated }'),
      beside('enum T { A @deprecated(reason: "a") }', 'enum T { A @deprecated(reason: "b") }'),
    ),
  ],
  'deprecation-removed': [
    example(
      'Query.a',
      ['type Query { a: Int @deprecated }', query],
      ['type Query { a: Int @deprecated(reason: "a") }', 'type Query { a: Int @deprecated(reason: "b") }'],
    ),
  ],
};
