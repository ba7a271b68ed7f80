import { createRequire } from 'node:module';
import { directionOf } from './directionOf.ts';
import { cldrVersion, rightToLeftScripts } from './rightToLeftScripts.ts';

const require = createRequire(import.meta.url);

test('the list of right-to-left scripts equals that of its CLDR version', () => {
  const { scriptMetadata } = require('cldr-core/scriptMetadata.json') as {
    scriptMetadata: Record<string, { rtl: string }>;
  };
  const expected = Object.keys(scriptMetadata).filter((script) => scriptMetadata[script]?.rtl === 'YES');
  expect([...rightToLeftScripts].sort()).toEqual(expected.sort());
  expect(cldrVersion).toBe((require('cldr-core/package.json') as { version: string }).version);
});

test.each(['ar', 'he', 'iw', 'fa-AF', 'ckb', 'dv', 'pa-PK', 'az-IR'])(
  '%s is written from right to left',
  (tag) => {
    expect(directionOf(tag)).toBe('rtl');
  },
);

test.each(['pa', 'az-Latn-IR', 'ar-Latn', 'en', 'de-DE-x-formal', 'not a tag'])(
  '%s is written from left to right',
  (tag) => {
    expect(directionOf(tag)).toBe('ltr');
  },
);
