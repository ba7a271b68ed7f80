import { compileOverlay } from './compileOverlay.ts';

const record = () => ({
  title: 'Car',
  text: 'Runs',
  reader: {
    matched: 'fr',
    texts: { title: 'Voiture', text: null, slug: 'voiture' },
    other: { title: 'Auto' },
  },
});

test('members replace those of their name, null ones and unknown ones do not, and their objects are left out', () => {
  expect(compileOverlay([['reader', 'texts']])?.(record())).toEqual({
    title: 'Voiture',
    text: 'Runs',
    reader: { matched: 'fr', other: { title: 'Auto' } },
  });
});

test('the later object wins', () => {
  const overlay = compileOverlay([
    ['reader', 'texts'],
    ['reader', 'other'],
  ]);
  expect(overlay?.(record())).toEqual({ title: 'Auto', text: 'Runs', reader: { matched: 'fr' } });
});

test('an object inside another one goes with it', () => {
  const overlay = compileOverlay([['reader'], ['reader', 'texts']]);
  expect(overlay?.(record())).toEqual({ title: 'Voiture', text: 'Runs' });
});

test.each([
  ['no object on the way', { title: 'Car' }],
  ['null on the way', { title: 'Car', reader: null }],
])('a record with %s stays as it is', (_, value) => {
  expect(compileOverlay([['reader', 'texts']])?.(value)).toEqual(value);
});

test('what it is given is left as it was', () => {
  const given = record();
  compileOverlay([['reader', 'texts']])?.(given);
  expect(given).toEqual(record());
});

test('a route without overlay has none', () => expect(compileOverlay([])).toBeNull());
