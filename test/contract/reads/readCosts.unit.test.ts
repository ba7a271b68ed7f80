import { documentOf, schema } from './documentOf.ts';
import { listsOfRecords, selectedFields } from './listFields.ts';
import { marketRows } from './market.ts';
import { peopleRows } from './people.ts';

/** Root fields whose lists do not grow with stored records. */
const others: Readonly<Record<string, string>> = {
  authProviders: 'configured for the installation',
  catalogCategories: 'cached in memory; catalogCategories.test.ts asserts its single command',
  catalogDealer: 'one record, which its locations are part of',
  seoAnalyze: 'computed from one text',
  seoChecks: 'part of the program',
  seoRecommendations: 'computed from one text',
  seoSuggestions: 'computed from one text',
};

/** Lists below the levels that a row selects. */
const deeper: Readonly<Record<string, string>> = {
  'DisputeEvidence.media': 'dispute.test.ts asserts its single command for a page of payments',
};

test('every list of records in the schema has a row in the tables of reads', () => {
  const documents = [...marketRows, ...peopleRows].map((row) => documentOf(row));
  const selected = selectedFields(schema, documents);
  const left = new Set(Object.keys(others));
  expect(listsOfRecords(schema, left).filter((field) => !selected.has(field))).toEqual(Object.keys(deeper));
});
