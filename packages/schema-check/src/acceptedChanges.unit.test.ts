import { applyAcceptedChanges, readAcceptedChanges } from './acceptedChanges.ts';
import { toChange } from './Change.ts';
import { UsageError } from './UsageError.ts';

const read = (text: string) => readAcceptedChanges(text, 'accepted-changes.yaml');

test('reads the entries of accepted changes with their reasons', () => {
  const text =
    '- id: field-removed:Listing.title\n  reason: |\n    Nobody reads it.\n- id: "route-removed:GET /api/v1/a/{b}"\n  reason: gone\n';
  expect(read(text)).toEqual([
    { id: 'field-removed:Listing.title', reason: 'Nobody reads it.' },
    { id: 'route-removed:GET /api/v1/a/{b}', reason: 'gone' },
  ]);
});

test('an accepted change may state its id as the check prints it, without quotes', () => {
  const id = 'request-enum-narrowed:schemas/ListingState "closed"';
  const other = 'response-property-removed:GET /api/v1/listings/{listingId} 200 data[].title';
  expect(read(`- id: ${id}\n  reason: a\n- id: ${other}\n  reason: b\n`)).toEqual([
    { id, reason: 'a' },
    { id: other, reason: 'b' },
  ]);
});

test('an empty file of accepted changes accepts nothing', () => {
  expect(read('')).toEqual([]);
});

test.each([
  ['- [', /is not YAML/],
  ['a: b', /must be a list/],
  ['- text', /entry 1 must be/],
  ['- reason: a', /entry 1 needs an id/],
  ['- id: field-removed\n  reason: a', /entry 1 needs an id/],
  ['- id: field-gone:A.b\n  reason: a', /unknown kind "field-gone"/],
  ['- id: field-removed:A.b', /needs a reason/],
  ['- id: field-removed:A.b\n  reason: " "', /needs a reason/],
  ['- id: field-removed:A.b\n  reason: a\n  until: 1', /unknown member "until"/],
  ['- id: field-added:A.b\n  reason: a', /"field-added" is never breaking/],
  ['- id: document-invalid:a.graphql\n  reason: a', /error to fix/],
  ['- id: guard-missing:Query.a\n  reason: a', /error to fix/],
  ['- id: field-removed:A.b\n  reason: a\n- id: field-removed:A.b\n  reason: b', /twice/],
])('refuses the accepted changes %j with one line that states why', (text, message) => {
  expect(() => read(text)).toThrow(UsageError);
  expect(() => read(text)).toThrow(message);
  expect(() => read(text)).toThrow(/^accepted-changes\.yaml: .*\.$/);
});

test('accepts only a breaking change with exactly this id, and reports other entries as unused', () => {
  const changes = [
    toChange('field-removed', 'A.b', 'gone'),
    toChange('field-removed', 'A.c', 'gone', 'safe'),
    toChange('field-removed', 'A.d', 'gone'),
  ];
  const entries = ['A.b', 'A.c', 'A.e'].map((path) => ({ id: `field-removed:${path}`, reason: path }));
  const { reasons, unused } = applyAcceptedChanges(changes, entries);
  expect([...reasons]).toEqual([['field-removed:A.b', 'A.b']]);
  expect(unused.map(({ id }) => id)).toEqual(['field-removed:A.c', 'field-removed:A.e']);
});
