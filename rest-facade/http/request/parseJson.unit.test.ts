import fc from 'fast-check';
import { Refusal } from '../Refusal.ts';
import { maxJsonDepth, parseJson, toText } from './parseJson.ts';

const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;

test('every JSON text of bounded depth is parsed as by JSON.parse', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 8 }), fc.constantFrom(0, 1, 2), (value, indent) => {
      const text = JSON.stringify(value, null, indent);
      expect(parseJson(text)).toEqual(JSON.parse(text));
    }),
  );
});

test('a JSON text with nesting of exactly the limit is accepted', () => {
  expect(() => parseJson(nested(maxJsonDepth))).not.toThrow();
});

test.each([
  ['one level too deep', nested(maxJsonDepth + 1)],
  ['a bomb of brackets', '['.repeat(200_000)],
  ['a repeated member', '{"a":1,"a":2}'],
  ['a repeated member deep inside', '[{"b":{"a":1,"c":[{"x":1,"x":1}]}}]'],
  ['a repeated __proto__', '{"__proto__":1,"__proto__":2}'],
  ['a repetition hidden by an escape', '{"a":1,"\\u0061":2}'],
  ['a broken text', '{"a":'],
  ['an endless string', '{"a":"\\\\\\"'],
  ['a comment', '{"a":1} // b'],
  ['nothing', ''],
])('%s is refused as invalid_json', (_, text) => {
  expect(() => parseJson(text)).toThrow(expect.objectContaining({ code: 'invalid_json' }) as Refusal);
});

test('colons and brackets within strings do not count as nesting', () => {
  expect(parseJson('{"a:{[":"\\\\\\":,{[[[[[[[[[[[[[[[[[[[[[[[[[[["}')).toEqual({
    'a:{[': '\\":,{[[[[[[[[[[[[[[[[[[[[[[[[[[[',
  });
});

test('__proto__ stays an own member and changes no prototype', () => {
  const value = parseJson('{"__proto__":{"polluted":true}}') as object;
  expect(Object.keys(value)).toEqual(['__proto__']);
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
});

test('bytes that are not UTF-8 are refused', () => {
  expect(() => toText(Buffer.from([0x22, 0xc3, 0x28, 0x22]))).toThrow(Refusal);
});
