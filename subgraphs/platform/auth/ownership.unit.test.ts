import { readPath } from './ownership.ts';

test.each<[string, object, string, string]>([
  ['a member', { id: 'a' }, 'id', 'a'],
  ['a member of a member', { _id: 'a', input: { id: 'b' } }, 'input.id', 'b'],
  ['the id of a stored record', { _id: 'a' }, 'id', 'a'],
  ['another member of a stored record', { _id: 'a', dealerId: 'b' }, 'dealerId', 'b'],
  ['a member that is missing', {}, 'id', ''],
  ['a member of a missing member', {}, 'input.thing.id', ''],
  ['a member that is not a string', { id: { $ne: null } }, 'id', ''],
])('readPath reads %s of %j at "%s" as "%s"', (_, subject, path, expected) => {
  expect(readPath(subject, path)).toBe(expected);
});
