import { createRequire } from 'node:module';
import { readableLanguages } from './readableLanguages.ts';

const require = createRequire(import.meta.url);

interface CldrMatch {
  readonly _desired: string;
  readonly _supported: string;
  readonly _distance: number;
  readonly _oneway?: boolean;
}

const { supplemental } = require('cldr-core/supplemental/languageMatching.json') as {
  supplemental: { languageMatching: { 'written-new': { languageMatch: CldrMatch[] } } };
};
const ofCldr = supplemental.languageMatching['written-new'].languageMatch;
const largestDistance = 5;
/** Pairs that are one language here: Norwegian by its kin, and `sh`, which is canonicalized to `sr-Latn`. */
const merged = new Set(['nb no', 'sh bs', 'sh hr', 'sh sr']);

test.each(readableLanguages.map((row) => [row.wanted, row.offered, row] as const))(
  'the distance of %s and %s is the one of CLDR',
  (wanted, offered, { distance, isOneWay }) => {
    const found = ofCldr.find(({ _desired, _supported }) => _desired === wanted && _supported === offered);
    expect([found?._distance, found?._oneway === true]).toEqual([distance, isOneWay]);
  },
);

test('every pair of languages that CLDR puts at a distance of at most 5 is listed', () => {
  const near = ofCldr
    .filter(({ _desired, _distance }) => /^[a-z]+$/.test(_desired) && _distance <= largestDistance)
    .map(({ _desired, _supported }) => `${_desired} ${_supported}`)
    .filter((pair) => !merged.has(pair));
  const listed = readableLanguages.map(({ wanted, offered }) => `${wanted} ${offered}`);
  expect(near.filter((pair) => !listed.includes(pair))).toEqual([]);
});
