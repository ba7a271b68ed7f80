import fc from 'fast-check';
import mongoose from 'mongoose';
import { product } from '../../../../../../test/support/product.ts';
import type { ListingTexts } from '../IndexedListing.ts';
import { doneAtOnce } from '../Slices.ts';
import { toStems } from './toStems.ts';
import { toTextLanguage } from './toTextLanguage.ts';
import { WordIndex } from './WordIndex.ts';

const { market } = product();

/**
 * Inflected, capitalised and meaningless words. They have no accents, because not every engine ignores them, and no
 * hyphens, because some engines read a hyphen within a word as an operator.
 */
const vocabulary: Readonly<Record<string, string>> = {
  en: 'Ford FORDS convertible convertibles running runs ran engine engines diesel the with of under wagon Wagons 2 1.6 V8 A/C old new garage garages tuned tuning',
  de: 'Kombi Kombis Wagen Motor Motoren gepflegt gepflegter gepflegtes und mit der Winterreifen Reifen Garage Garagen neu neue neuer fahren fahrend 4x4',
  fr: 'voiture voitures moteur moteurs diesel essence avec dans pour roue roues grand grande grands garage ouvert ouverte',
  es: 'coche coches motor motores gasolina con para los ruedas rueda nuevo nueva nuevos garaje puertas puerta',
  nl: 'auto wagens wagen banden band motoren motor met van het deuren deur nieuwe nieuw',
  tlh: 'the with wagon wagons Motor',
};
const language = fc.constantFrom(...Object.keys(vocabulary));
const textIn = (tag: string, maxLength: number) =>
  fc
    .array(fc.constantFrom(...(vocabulary[tag]?.split(' ') ?? [])), { maxLength })
    .map((words) => words.join(' '));
const listing: fc.Arbitrary<ListingTexts> = language.chain((languageTag) =>
  fc.record({
    title: textIn(languageTag, 3),
    attributesText: textIn(languageTag, 2),
    description: textIn(languageTag, 6),
    languageTag: fc.constant(languageTag),
  }),
);
const question = language.chain((locale) => fc.record({ q: textIn(locale, 3), locale: fc.constant(locale) }));

test('a search by words finds the same listings as the text index of the database in every language', async () => {
  let run = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(listing, { minLength: 1, maxLength: 25 }),
      fc.array(question, { minLength: 1, maxLength: 12 }),
      async (listings, questions) => {
        const collection = mongoose.connection.collection<{ _id: number }>(
          `texts_${market.installation.id}_${run++}`,
        );
        await collection.createIndex(
          { shop: 1, title: 'text', attributesText: 'text', description: 'text' },
          { default_language: 'none', language_override: 'stemmer' },
        );
        const index = new WordIndex();
        await collection.insertMany(
          listings.map((each, row) => ({
            ...each,
            _id: row,
            shop: 1,
            stemmer: toTextLanguage(each.languageTag),
          })),
        );
        for (const [row, each] of listings.entries()) index.put(row, each);
        for (const { q, locale } of questions) {
          const text = { $search: q, $language: toTextLanguage(locale) };
          const found = await collection.find({ shop: 1, $text: text }, { projection: { _id: 1 } }).toArray();
          const { rows } = doneAtOnce(index.find(toStems(q, locale), listings.length));
          expect({ q, locale, rows: [...rows.rows.subarray(0, rows.length)].sort((a, b) => a - b) }).toEqual({
            q,
            locale,
            rows: found.map(({ _id }) => _id).sort((a, b) => a - b),
          });
        }
        await collection.drop();
      },
    ),
    { numRuns: 15, endOnFailure: true, seed: 20_261_122 },
  );
});
