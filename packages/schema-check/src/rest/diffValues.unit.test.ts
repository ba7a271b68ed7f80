import { diffOpenApi } from './diffOpenApi.ts';

const text = { type: 'string' };
const integer = { type: 'integer' };
const uri = { ...text, format: 'uri' };
const bounded = (minimum: number, maximum: number) => ({ type: 'integer', minimum, maximum });
const object = (...names: string[]) => ({
  type: 'object',
  properties: Object.fromEntries(names.map((name) => [name, text])),
});
const titled = (title: string, ...names: string[]) => ({ ...object(...names), title });
const listOf = (items: object) => ({ type: 'array', items });

/** Kinds of the changes between two schemas of one body, without their first word and the place of the body. */
function diff(polarity: 'request' | 'response', before: object, after: object): string[] {
  const documentOf = (schema: object) => {
    const body = { content: { 'application/json': { schema } } };
    return {
      paths: {
        '/a': { post: polarity === 'request' ? { requestBody: body } : { responses: { 200: body } } },
      },
    };
  };
  return diffOpenApi(documentOf(before), documentOf(after)).map(({ id }) =>
    id.replace(`${polarity}-`, '').replace(/:POST \/a (body|200)/, ''),
  );
}

// Every kind of change is in `test/schema-check`; these rows are further circumstances of some.
test.each<[before: object, after: object, request: string | null, answer: string | null]>([
  [text, { type: ['string', 'integer'] }, 'type-widened', 'type-changed'],
  [text, {}, 'type-widened', 'type-changed'],
  [{}, text, 'type-changed', 'type-narrowed'],
  [{ anyOf: [text, { type: 'null' }] }, text, 'null-refused', 'never-null'],
  [{ ...integer, format: 'int32' }, { ...integer, format: 'int64' }, 'format-removed', 'format-changed'],
  [text, uri, 'format-changed', 'format-added'],
  [integer, { ...integer, format: 'int64' }, 'format-changed', 'format-added'],
  [bounded(1, 9), { ...bounded(1, 9), format: 'int64' }, null, 'format-added'],
  [bounded(1, 2 ** 31), { ...bounded(1, 2 ** 31), format: 'int32' }, 'format-changed', 'format-added'],
  [text, { ...text, pattern: 'a' }, 'pattern-changed', 'pattern-added'],
  [{ ...text, default: 'a' }, { ...text, default: 'b' }, 'default-changed', null],
  [object('a'), { ...object('a'), additionalProperties: false }, 'closed', null],
  [titled('A', 'a'), { ...titled('B', 'a'), description: 'Words.', examples: [1] }, null, null],
])(
  'the change from %j to %j is "%s" in a request and "%s" in a response',
  (before, after, request, answer) => {
    expect(diff('request', before, after)).toEqual(request === null ? [] : [request]);
    expect(diff('response', before, after)).toEqual(answer === null ? [] : [answer]);
  },
);

test.each<[before: object, after: object, change: string]>([
  [text, { ...text, const: 'a' }, 'enum-narrowed'],
  [{ ...text, enum: ['a'] }, text, 'enum-widened'],
  [{ ...integer, minimum: 1 }, integer, 'bound-relaxed minimum'],
  [{ ...integer, maximum: 9 }, { ...integer, maximum: 8 }, 'bound-tightened maximum'],
  [{ type: 'array', maxItems: 5 }, { type: 'array', maxItems: 6 }, 'bound-relaxed maxItems'],
  [{ ...integer, multipleOf: 6 }, { ...integer, multipleOf: 3 }, 'bound-relaxed multipleOf'],
  [{ ...integer, multipleOf: 3 }, { ...integer, multipleOf: 2 }, 'bound-tightened multipleOf'],
  [{ ...text, pattern: 'a' }, { ...text, pattern: 'b' }, 'pattern-changed'],
  [listOf(object('a', 'b')), listOf(object('a')), 'property-removed [].b'],
  [{ additionalProperties: text }, { additionalProperties: integer }, 'type-changed *'],
  [{ type: 'object', patternProperties: { '^x': text } }, { type: 'object' }, 'property-removed ^x'],
  [object('a'), object('a', 'constructor'), 'property-added constructor'],
  [{ anyOf: [titled('A', 'a'), titled('B', 'b')] }, titled('A', 'a'), 'variant-removed <B>'],
])('the change from %j to %j is "%s" in requests and responses', (before, after, change) => {
  expect(diff('request', before, after)).toEqual([change]);
  expect(diff('response', before, after)).toEqual([change]);
});

test.each([
  [text, { ...text, maxLength: 5 }, 'maxLength'],
  [{ type: 'array' }, { type: 'array', uniqueItems: true }, 'uniqueItems'],
])(
  'the change from %j to %j sets the bound "%s" of a request and tightens that of a response',
  (before, after, bound) => {
    expect(diff('request', before, after)).toEqual([`bound-stated ${bound}`]);
    expect(diff('response', before, after)).toEqual([`bound-tightened ${bound}`]);
  },
);
