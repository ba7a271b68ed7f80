import type { Command } from '../Command.ts';
import { encode } from '../wire/bson.ts';
import { RawDocument } from '../wire/RawDocument.ts';
import { mayChangeData } from './commandTable.ts';

test.each<[string, object, boolean]>([
  ['a reading aggregation', { aggregate: 'users', pipeline: [{ $match: { n: 1 } }] }, false],
  ['an aggregation with $merge', { aggregate: 'users', pipeline: [{ $merge: 'others' }] }, true],
  ['an aggregation with $out', { aggregate: 'users', pipeline: [{ $out: 'others' }] }, true],
  ['a find', { find: 'users' }, false],
  ['an insert', { insert: 'users' }, true],
])('decides whether %s can change data that change streams report', (_, command, expected) => {
  const body = new RawDocument(Buffer.from(encode(command)));
  expect(mayChangeData({ name: body.firstName, body } as Command)).toBe(expected);
});
