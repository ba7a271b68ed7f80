import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { open, seal } from './seal.ts';

const key = randomBytes(32);

test('a sealed text opens with the same key and context', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), fc.string(), (bytes, aad) => {
      expect(open(key, seal(key, Buffer.from(bytes), aad), aad)).toEqual(Buffer.from(bytes));
    }),
  );
});

test('a sealed text opens with its own key and context only', () => {
  const sealed = seal(key, 'text', 'record 1');
  expect(open(randomBytes(32), sealed, 'record 1')).toBeNull();
  expect(open(key, sealed, 'record 2')).toBeNull();
  expect(open(key, sealed)).toBeNull();
});

test('sealing a text twice gives different results', () => {
  expect(seal(key, 'text')).not.toBe(seal(key, 'text'));
});

test('a sealed text with a changed, missing or added character does not open', () => {
  const sealed = seal(key, 'some text of two');
  for (let position = 0; position < sealed.length; position += 1) {
    const other = sealed[position] === 'A' ? 'B' : 'A';
    expect(open(key, sealed.slice(0, position) + other + sealed.slice(position + 1))).toBeNull();
  }
  for (const text of [sealed.slice(0, -1), sealed.slice(0, -8), `${sealed}=`, `${sealed}\n`, ` ${sealed}`])
    expect(open(key, text)).toBeNull();
});

test('a text that was not sealed opens to null', () => {
  const short = Array.from({ length: 40 }, (_, length) => Buffer.alloc(length, 1).toString('base64url'));
  for (const text of ['', 'A', 'not base64!', 'A'.repeat(100), ...short]) expect(open(key, text)).toBeNull();
});

test('a text that an earlier release sealed still opens', () => {
  const sealed = 'AUaIrCj5U4oYZ0z3f9iqGFQgvBxOOMTogaWp7sgzP6cFOkFjLAXY';
  expect(open(Buffer.alloc(32), sealed, 'record 1')?.toString()).toBe('known text');
});
