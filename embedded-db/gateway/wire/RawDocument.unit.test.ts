import { Binary, BSON, Code, DBRef, Decimal128, Long, ObjectId, Timestamp } from 'bson';
import fc from 'fast-check';
import { CommandError } from '../CommandError.ts';
import { RawDocument } from './RawDocument.ts';

const document = {
  find: 'collection',
  maxTimeMS: 250,
  limit: Long.fromString('9007199254740993'),
  skip: 3.9,
  isAwaited: true,
  legacyFlag: 1,
  filter: { deep: { value: 1 } },
  list: [1, 'two'],
  nothing: null,
  id: new Binary(Buffer.from('0123456789abcdef'), 4),
  pattern: /a.b/i,
  oid: new ObjectId(),
  at: new Date(),
  stamp: new Timestamp({ t: 1, i: 2 }),
  price: Decimal128.fromString('1.1'),
  code: new Code('return 1'),
  scoped: new Code('return x', { x: 1 }),
  reference: new DBRef('other', new ObjectId()),
  last: 'end',
};
const raw = new RawDocument(Buffer.from(BSON.serialize(document)));

test('skips fields of every type to reach the next one', () => {
  expect(raw.size).toBe(Object.keys(document).length);
  expect(raw.firstName).toBe('find');
  expect(raw.string('last')).toBe('end');
});

test('reads values by their type, and a number as the requested type', () => {
  expect(raw.string('find')).toBe('collection');
  expect(raw.integer('maxTimeMS')).toBe(250n);
  expect(raw.integer('limit')).toBe(9007199254740993n);
  expect(raw.integer('skip')).toBe(3n);
  expect([raw.boolean('isAwaited'), raw.boolean('legacyFlag')]).toEqual([true, true]);
  expect(raw.binary('id')?.toString()).toBe('0123456789abcdef');
  expect(BSON.deserialize(raw.embedded('filter') ?? Buffer.alloc(0))).toEqual(document.filter);
  expect(new RawDocument(raw.embedded('list') ?? Buffer.alloc(0)).string('1')).toBe('two');
});

test('returns undefined for a missing value or one of another type', () => {
  expect([raw.string('maxTimeMS'), raw.integer('find'), raw.embedded('find'), raw.boolean('absent')]).toEqual(
    Array(4).fill(undefined),
  );
});

test('refuses bytes that are not BSON with an error for the client, and never reads beyond their end', () => {
  const valid = Buffer.from(BSON.serialize(document));
  const damage = fc.record({ at: fc.nat(valid.length - 1), byte: fc.nat(255) });
  fc.assert(
    fc.property(fc.array(damage, { minLength: 1, maxLength: 4 }), (damages) => {
      const bytes = Buffer.from(valid);
      for (const { at, byte } of damages) bytes[at] = byte;
      try {
        const damaged = new RawDocument(bytes);
        expect(damaged.bytes.length).toBe(valid.length);
      } catch (error) {
        expect(error).toBeInstanceOf(CommandError);
        expect(error).toMatchObject({ code: 22 });
      }
    }),
    { numRuns: 2_000 },
  );
});

test('refuses a document whose stated length is wrong', () => {
  const bytes = Buffer.from(BSON.serialize({ a: 1 }));
  expect(() => new RawDocument(bytes.subarray(0, -1))).toThrow(CommandError);
  expect(() => new RawDocument(Buffer.concat([bytes, Buffer.from([0])]))).toThrow(CommandError);
});
