import { createRequire } from 'node:module';
import { directionOf } from './directionOf.ts';
import { cldrVersion, rightToLeftScripts } from './rightToLeftScripts.ts';

const require = createRequire(import.meta.url);

test('the list of right-to-left scripts is the one of its CLDR version', () => {
  const { scriptMetadata } = require('cldr-core/scriptMetadata.json') as {
    scriptMetadata: Record<string, { rtl: string }>;
  };
  const expected = Object.keys(scriptMetadata).filter((script) => scriptMetadata[script]?.rtl === 'YES');
  expect([...rightToLeftScripts].sort()).toEqual(expected.sort());
  expect(cldrVersion).toBe((require('cldr-core/package.json') as { version: string }).version);
});

test.each([
  ['ar', 'rtl'],
  ['he', 'rtl'],
  ['iw', 'rtl'],
  ['fa-AF', 'rtl'],
  ['ckb', 'rtl'],
  ['dv', 'rtl'],
  ['pa-PK', 'rtl'],
  ['pa', 'ltr'],
  ['az-IR', 'rtl'],
  ['az-Latn-IR', 'ltr'],
  ['ar-Latn', 'ltr'],
  ['en', 'ltr'],
  ['de-DE-x-formal', 'ltr'],
  ['not a tag', 'ltr'],
])('%s is written %s', (tag, direction) => {
  expect(directionOf(tag)).toBe(direction);
});
