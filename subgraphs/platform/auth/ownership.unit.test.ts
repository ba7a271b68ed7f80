import { dealerMembershipRequired, ownershipRequired, readPath } from './ownership.ts';

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

const remedy =
  'Send a record that you own, or sign in as its owner or as a member of the dealer that owns it.';

test.each([
  [
    { type: 'Listing', id: 'lst_1' },
    `The listing "lst_1" belongs to another user or dealer. ${remedy}`,
    { record: { type: 'listing', id: 'lst_1' } },
  ],
  [
    { type: 'ReceivedPayment', id: 'pay_1' },
    `The payment "pay_1" belongs to another user or dealer. ${remedy}`,
    { record: { type: 'payment', id: 'pay_1' } },
  ],
  [
    { type: 'DataExport' },
    `This data export belongs to another user or dealer. ${remedy}`,
    { record: { type: 'data export' } },
  ],
  [undefined, `This record belongs to another user or dealer. ${remedy}`, {}],
])(
  'ownershipRequired names the record %j that the caller sent, and the remedy',
  (record, detail, members) => {
    expect(ownershipRequired(record)).toMatchObject({ code: 'ownership_required', message: detail });
    expect(ownershipRequired(record).details).toEqual(members);
  },
);

test('dealerMembershipRequired names the dealer that the caller sent, and the remedy', () => {
  const error = dealerMembershipRequired('dlr_1');
  expect([error.code, error.message, error.details]).toEqual([
    'ownership_required',
    'You are not a member of the dealer "dlr_1". Send the id of a dealer in your `dealerMemberships`.',
    { record: { type: 'dealer', id: 'dlr_1' } },
  ]);
});
