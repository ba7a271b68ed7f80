import type { Caller } from './Caller.ts';
import type { SeededListing } from './seedListings.ts';
import { seedOperation } from './seedOperation.ts';

const createTranslation = seedOperation(`mutation createTranslation($input: CreateTranslationInput!) {
  createTranslation(input: $input) { translation { id } }
}`);
const updateSeoRecord = seedOperation(
  `mutation updateSeoRecord($input: UpdateSeoRecordInput!) { updateSeoRecord(input: $input) { record { id } } }`,
);
const seoRefresh = seedOperation(
  `mutation seoRefresh($input: SeoRefreshInput!) { seoRefresh(input: $input) { changed } }`,
);

/** Adds German and French translations of listings, written by the editor. */
export async function seedTranslations(editor: Caller, listings: readonly SeededListing[]): Promise<void> {
  for (const { id, car } of listings) {
    for (const [language, fields] of [
      ['de', car.german],
      ['fr', car.french],
    ] as const) {
      await editor.call(createTranslation, {
        input: {
          source: { type: 'LISTING', id },
          language,
          fields,
          status: 'PUBLISHED',
          idempotencyKey: `demonstration-${id}-${language}`,
        },
      });
    }
  }
}

/** Sets a keyphrase and stores an analysis of listings, as the dealer that owns them. */
export async function seedAnalyses(listings: readonly SeededListing[]): Promise<void> {
  for (const {
    id,
    car,
    dealer: { caller },
  } of listings) {
    const object = { type: 'LISTING', id };
    const keyphrase = car.title.split(',', 1)[0];
    await caller.call(updateSeoRecord, { input: { object, locale: 'en', keyphrase } });
    await caller.call(seoRefresh, { input: { object, locale: 'en' } });
  }
}
