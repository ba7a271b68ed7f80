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

test('overlay members replace those of the same name unless they are null or unknown, and overlay objects are removed', () => {
  expect(compileOverlay([['reader', 'texts']])?.(record())).toEqual({
    title: 'Voiture',
    text: 'Runs',
    reader: { matched: 'fr', other: { title: 'Auto' } },
  });
});

test('the later overlay object wins', () => {
  const overlay = compileOverlay([
    ['reader', 'texts'],
    ['reader', 'other'],
  ]);
  expect(overlay?.(record())).toEqual({ title: 'Auto', text: 'Runs', reader: { matched: 'fr' } });
});

test('an overlay object inside another one is removed with it', () => {
  const overlay = compileOverlay([['reader'], ['reader', 'texts']]);
  expect(overlay?.(record())).toEqual({ title: 'Voiture', text: 'Runs' });
});

test.each([
  ['no object on the way', { title: 'Car' }],
  ['null on the way', { title: 'Car', reader: null }],
])('an overlay leaves a record with %s unchanged', (_, value) => {
  expect(compileOverlay([['reader', 'texts']])?.(value)).toEqual(value);
});

test('an overlay does not change the record it is given', () => {
  const given = record();
  compileOverlay([['reader', 'texts']])?.(given);
  expect(given).toEqual(record());
});

test('a route without overlays compiles to none', () => expect(compileOverlay([])).toBeNull());
