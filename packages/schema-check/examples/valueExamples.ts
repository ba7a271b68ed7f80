import type { schemaKinds } from '../src/kinds/schemaKinds.ts';
import { type Examples, example } from './Example.ts';

/** A JSON Schema. */
type Schema = Readonly<Record<string, unknown>>;

/** Schema of a request or response before and after. The first word of the kind states which of both. */
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
/** A widening, which is the reverse of the narrowing. */
const wider: ValuePlant = [whole, { type: 'number' }];
const narrower: ValuePlant = [{ type: 'number' }, whole];

/** Changes of the JSON in requests and responses. */
export const valueExamples: Examples<typeof schemaKinds, ValuePlant> = {
  'request-property-removed': [example(' b', [object('a b'), object('a')], [object('a'), object('a b')])],
  'request-property-added': [example(' b', [object('a'), object('a b')], [object('a b'), object('b a')])],
  'request-required-property-added': [
    example(' b', [object('a'), object('a b', ['b'])], [object('a'), object('a b')]),
  ],
  'request-property-became-required': [
    example(' a', [object('a'), object('a', ['a'])], [object('a', ['a']), object('a')]),
  ],
  'request-property-became-optional': [
    example(' a', [object('a', ['a']), object('a')], [object('a'), object('a b')]),
  ],
  'request-null-refused': [example('', [nullable, text], [text, nullable])],
  'request-null-accepted': [example('', [text, nullable], [nullable, { anyOf: [text, { type: 'null' }] }])],
  'request-type-changed': [example('', narrower, wider)],
  'request-type-widened': [example('', wider, words)],
  'request-format-changed': [example('', [date, uri], [uri, text])],
  'request-format-removed': [example('', [uri, text], words)],
  'request-enum-narrowed': [example(' "b"', [some('a', 'b'), some('a')], [some('a'), some('a', 'b')])],
  'request-enum-widened': [example(' "b"', [some('a'), some('a', 'b')], [some('a', 'b'), some('b', 'a')])],
  'request-bound-tightened': [example(' minimum', [least(1), least(2)], [least(2), least(1)])],
  'request-bound-stated': [example(' minimum', [whole, least(1)], [least(1), { ...least(1), title: 'A' }])],
  'request-bound-relaxed': [example(' minimum', [least(2), least(1)], words)],
  'request-pattern-changed': [example('', [a, b], [a, text])],
  'request-pattern-removed': [example('', [a, text], words)],
  'request-variant-removed': [
    example(' <B>', [forms('A', 'B'), forms('A')], [forms('A', 'B'), forms('B', 'A')]),
  ],
  'request-variant-added': [
    example(' <B>', [forms('A'), forms('A', 'B')], [forms('A', 'B'), forms('B', 'A')]),
  ],
  'request-closed': [example('', [object('a'), closed], [closed, object('a')])],
  'request-opened': [example('', [closed, object('a')], [closed, { ...closed, title: 'A' }])],
  'request-default-changed': [
    example(
      '',
      [
        { ...text, default: 'a' },
        { ...text, default: 'b' },
      ],
      words,
    ),
  ],
  'request-schema-incomparable': [example(' contentEncoding', [text, encoded], words)],
  'response-property-removed': [example(' b', [object('a b'), object('a')], [object('a'), object('a b')])],
  'response-property-added': [example(' b', [object('a'), object('a b')], [object('a b'), object('b a')])],
  'response-property-became-optional': [
    example(' a', [object('a', ['a']), object('a')], [object('a'), object('a', ['a'])]),
  ],
  'response-property-became-required': [
    example(' a', [object('a'), object('a', ['a'])], [object('a'), object('a b', ['b'])]),
  ],
  'response-became-nullable': [example('', [text, nullable], [nullable, text])],
  'response-never-null': [example('', [nullable, text], words)],
  'response-type-changed': [example('', wider, narrower)],
  'response-type-narrowed': [example('', narrower, words)],
  'response-format-changed': [example('', [uri, text], [text, uri])],
  'response-format-added': [example('', [text, uri], words)],
  'response-enum-widened': [example(' "b"', [some('a'), some('a', 'b')], [some('a', 'b'), some('a')])],
  'response-enum-narrowed': [example(' "b"', [some('a', 'b'), some('a')], [some('a', 'b'), some('b', 'a')])],
  'response-bound-relaxed': [example(' minimum', [least(2), least(1)], [least(1), least(2)])],
  'response-bound-tightened': [example(' minimum', [least(1), least(2)], words)],
  'response-pattern-changed': [example('', [a, text], [text, a])],
  'response-pattern-added': [example('', [text, a], words)],
  'response-variant-added': [
    example(' <B>', [forms('A'), forms('A', 'B')], [forms('A', 'B'), forms('B', 'A')]),
  ],
  'response-variant-removed': [
    example(' <B>', [forms('A', 'B'), forms('A')], [forms('A', 'B'), forms('B', 'A')]),
  ],
  'response-schema-incomparable': [example(' contentEncoding', [text, encoded], words)],
};
