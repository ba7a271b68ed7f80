import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { open, seal } from './seal.ts';

const key = randomBytes(32);

test('what was sealed opens with the same key and the same belonging', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), fc.string(), (bytes, aad) => {
      expect(open(key, seal(key, Buffer.from(bytes), aad), aad)).toEqual(Buffer.from(bytes));
    }),
  );
});

test('equal texts never look equal when sealed', () => {
  expect(seal(key, 'text')).not.toBe(seal(key, 'text'));
});

test('another key or another belonging opens nothing', () => {
  const sealed = seal(key, 'text', 'record 1');
  expect(open(randomBytes(32), sealed, 'record 1')).toBeNull();
  expect(open(key, sealed, 'record 2')).toBeNull();
  expect(open(key, sealed)).toBeNull();
});

test('no changed character goes unnoticed', () => {
  const sealed = seal(key, 'some text of two');
  for (let position = 0; position < sealed.length; position += 1) {
    const other = sealed[position] === 'A' ? 'B' : 'A';
    expect(open(key, sealed.slice(0, position) + other + sealed.slice(position + 1))).toBeNull();
  }
});

test.each(['', 'A', 'not base64!', 'A'.repeat(100)])('junk is null, not an exception: %j', (text) => {
  expect(open(key, text)).toBeNull();
});

test('a cut or padded seal is refused', () => {
  const sealed = seal(key, 'text');
  for (const text of [sealed.slice(0, -1), sealed.slice(0, -8), `${sealed}=`, `${sealed}\n`, ` ${sealed}`]) {
    expect(open(key, text)).toBeNull();
  }
});

test('junk of any length is null', () => {
  for (let length = 0; length < 40; length += 1) {
    expect(open(key, Buffer.alloc(length, 1).toString('base64url'))).toBeNull();
  }
});

test('what an earlier release sealed still opens', () => {
  const sealed = 'AUaIrCj5U4oYZ0z3f9iqGFQgvBxOOMTogaWp7sgzP6cFOkFjLAXY';
  expect(open(Buffer.alloc(32), sealed, 'record 1')?.toString()).toBe('known text');
});
