import type { schemaKinds } from '../kinds/schemaKinds.ts';
import type { Examples } from './Example.ts';

/** A JSON Schema. */
type Schema = Readonly<Record<string, unknown>>;

/** What a route takes or gives before and after; which of both, the first word of the kind says. */
export type ValuePlant = readonly [before: Schema, after: Schema];

const text = { type: 'string' };
const whole = { type: 'integer' };
const nullable = { type: ['string', 'null'] };
const object = (names: string, required: string[] = []): Schema => ({
  type: 'object',
  properties: Object.fromEntries(names.split(' ').map((name) => [name, text])),
  required,
});
const forms = (...titles: string[]): Schema => ({
  anyOf: titles.map((title) => ({ ...object(title), title })),
});
const some = (...values: string[]): Schema => ({ ...text, enum: values });
const [uri, date] = [
  { ...text, format: 'uri' },
  { ...text, format: 'date' },
];
const [a, b] = [
  { ...text, pattern: 'a' },
  { ...text, pattern: 'b' },
];
const encoded = { ...text, contentEncoding: 'base64' };
const words: ValuePlant = [text, { ...text, description: 'Words.', examples: ['a'] }];
const closed = { ...object('a'), additionalProperties: false };
const least = (minimum: number): Schema => ({ ...whole, minimum });
/** A widening, by the way back of the narrowing. */
const wider: ValuePlant = [whole, { type: 'number' }];
const narrower: ValuePlant = [{ type: 'number' }, whole];

/** Changes of the JSON in requests and answers, each judged by who writes it. */
export const valueExamples: Examples<typeof schemaKinds, ValuePlant> = {
  'request-property-removed': [
    { path: ' b', caught: [object('a b'), object('a')], passed: [object('a'), object('a b')] },
  ],
  'request-property-added': [
    { path: ' b', caught: [object('a'), object('a b')], passed: [object('a b'), object('b a')] },
  ],
  'request-required-property-added': [
    { path: ' b', caught: [object('a'), object('a b', ['b'])], passed: [object('a'), object('a b')] },
  ],
  'request-property-became-required': [
    { path: ' a', caught: [object('a'), object('a', ['a'])], passed: [object('a', ['a']), object('a')] },
  ],
  'request-property-became-optional': [
    { path: ' a', caught: [object('a', ['a']), object('a')], passed: [object('a'), object('a b')] },
  ],
  'request-null-refused': [{ path: '', caught: [nullable, text], passed: [text, nullable] }],
  'request-null-accepted': [
    { path: '', caught: [text, nullable], passed: [nullable, { anyOf: [text, { type: 'null' }] }] },
  ],
  'request-type-changed': [{ path: '', caught: narrower, passed: wider }],
  'request-type-widened': [{ path: '', caught: wider, passed: words }],
  'request-format-changed': [{ path: '', caught: [date, uri], passed: [uri, text] }],
  'request-format-removed': [{ path: '', caught: [uri, text], passed: words }],
  'request-enum-narrowed': [
    { path: ' "b"', caught: [some('a', 'b'), some('a')], passed: [some('a'), some('a', 'b')] },
  ],
  'request-enum-widened': [
    { path: ' "b"', caught: [some('a'), some('a', 'b')], passed: [some('a', 'b'), some('b', 'a')] },
  ],
  'request-bound-tightened': [
    { path: ' minimum', caught: [least(1), least(2)], passed: [least(2), least(1)] },
  ],
  'request-bound-relaxed': [{ path: ' minimum', caught: [least(2), least(1)], passed: words }],
  'request-pattern-changed': [{ path: '', caught: [a, b], passed: [a, text] }],
  'request-pattern-removed': [{ path: '', caught: [a, text], passed: words }],
  'request-variant-removed': [
    { path: ' <B>', caught: [forms('A', 'B'), forms('A')], passed: [forms('A', 'B'), forms('B', 'A')] },
  ],
  'request-variant-added': [
    { path: ' <B>', caught: [forms('A'), forms('A', 'B')], passed: [forms('A', 'B'), forms('B', 'A')] },
  ],
  'request-closed': [{ path: '', caught: [object('a'), closed], passed: [closed, object('a')] }],
  'request-opened': [
    { path: '', caught: [closed, object('a')], passed: [closed, { ...closed, title: 'A' }] },
  ],
  'request-default-changed': [
    {
      path: '',
      caught: [
        { ...text, default: 'a' },
        { ...text, default: 'b' },
      ],
      passed: words,
    },
  ],
  'request-schema-incomparable': [{ path: ' contentEncoding', caught: [text, encoded], passed: words }],
  'response-property-removed': [
    { path: ' b', caught: [object('a b'), object('a')], passed: [object('a'), object('a b')] },
  ],
  'response-property-added': [
    { path: ' b', caught: [object('a'), object('a b')], passed: [object('a b'), object('b a')] },
  ],
  'response-property-became-optional': [
    { path: ' a', caught: [object('a', ['a']), object('a')], passed: [object('a'), object('a', ['a'])] },
  ],
  'response-property-became-required': [
    { path: ' a', caught: [object('a'), object('a', ['a'])], passed: [object('a'), object('a b', ['b'])] },
  ],
  'response-became-nullable': [{ path: '', caught: [text, nullable], passed: [nullable, text] }],
  'response-never-null': [{ path: '', caught: [nullable, text], passed: words }],
  'response-type-changed': [{ path: '', caught: wider, passed: narrower }],
  'response-type-narrowed': [{ path: '', caught: narrower, passed: words }],
  'response-format-changed': [{ path: '', caught: [uri, text], passed: [text, uri] }],
  'response-format-added': [{ path: '', caught: [text, uri], passed: words }],
  'response-enum-widened': [
    { path: ' "b"', caught: [some('a'), some('a', 'b')], passed: [some('a', 'b'), some('a')] },
  ],
  'response-enum-narrowed': [
    { path: ' "b"', caught: [some('a', 'b'), some('a')], passed: [some('a', 'b'), some('b', 'a')] },
  ],
  'response-bound-relaxed': [
    { path: ' minimum', caught: [least(2), least(1)], passed: [least(1), least(2)] },
  ],
  'response-bound-tightened': [{ path: ' minimum', caught: [least(1), least(2)], passed: words }],
  'response-pattern-changed': [{ path: '', caught: [a, text], passed: [text, a] }],
  'response-pattern-added': [{ path: '', caught: [text, a], passed: words }],
  'response-variant-added': [
    { path: ' <B>', caught: [forms('A'), forms('A', 'B')], passed: [forms('A', 'B'), forms('B', 'A')] },
  ],
  'response-variant-removed': [
    { path: ' <B>', caught: [forms('A', 'B'), forms('A')], passed: [forms('A', 'B'), forms('B', 'A')] },
  ],
  'response-schema-incomparable': [{ path: ' contentEncoding', caught: [text, encoded], passed: words }],
};
