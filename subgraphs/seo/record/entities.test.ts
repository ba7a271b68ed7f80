import { createNeighbour } from '../../../test/support/createNeighbour.ts';
import { openTestStack, type TestStack } from '../../../test/support/openTestStack.ts';
import type { SignedIn } from '../../../test/support/signIn.ts';
import { newId } from '../../platform/ids/newId.ts';
import { countCommands } from '../../platform/mongo/countCommands.ts';
import { buildSeo } from '../server.ts';

const neighbour = createNeighbour();
let stack: TestStack;
let seller: SignedIn;

beforeAll(async () => {
  stack = await openTestStack({ subgraphs: [buildSeo], askOwner: neighbour.askOwner });
  seller = await stack.signIn();
});
afterAll(() => stack.close());

const entities = `query ($representations: [_Any!]!) { _entities(representations: $representations) {
  ... on Listing { id seo { keyphrase latestAnalysis { id stale record { id } scores { seo { value } } } } }
  ... on Dealer { id seo { keyphrase } }
  ... on SeoRecord { id keyphrase objectId }
  ... on SeoAnalysisSnapshot { id contentVersion } } }`;

function resolve(representations: object[], as: SignedIn | null = seller) {
  return stack.execute(entities, { representations }, { as });
}

function codeOf(error: { extensions?: unknown } | undefined) {
  return (error?.extensions as { problem?: { code: string } } | undefined)?.problem?.code;
}

function put(type: 'Listing' | 'Dealer', ownerId = seller.id) {
  const id = newId(type === 'Listing' ? 'listing' : 'dealer');
  const content = {
    languageTag: 'en',
    visibility: 'PRIVATE' as const,
    url: null,
    slug: null,
    title: 'Tyre',
    html: '<p>A tyre for winter.</p>',
    fields: {},
  };
  neighbour.put({ type, id, installationId: stack.demo.id, ownerId, contentVersion: 1, content });
  return id;
}

async function optimise(type: 'LISTING' | 'DEALER', id: string) {
  const { data, errors } = await stack.execute(
    `mutation ($save: UpdateSeoRecordInput!, $refresh: SeoRefreshInput!) {
      updateSeoRecord(input: $save) { record { id } } seoRefresh(input: $refresh) { current { id } } }`,
    { save: { object: { type, id }, keyphrase: id }, refresh: { object: { type, id } } },
    { as: seller },
  );
  expect(errors).toBeUndefined();
  return { recordId: data?.updateSeoRecord.record.id, snapshotId: data?.seoRefresh.current.id };
}

test('a listing and a dealer carry their SEO fields, or null when there are none', async () => {
  const [listing, dealer, bare] = [put('Listing'), put('Dealer'), put('Listing')];
  await optimise('LISTING', listing);
  await optimise('DEALER', dealer);
  const { data, errors } = await resolve([
    { __typename: 'Listing', id: listing },
    { __typename: 'Dealer', id: dealer },
    { __typename: 'Listing', id: bare },
  ]);
  expect(errors).toBeUndefined();
  expect(data?._entities).toMatchObject([
    { id: listing, seo: { keyphrase: listing, latestAnalysis: { stale: false } } },
    { id: dealer, seo: { keyphrase: dealer } },
    { id: bare, seo: null },
  ]);
});

test('one foreign listing among own ones is refused alone', async () => {
  const [own, foreign] = [put('Listing'), put('Listing', newId('user'))];
  await optimise('LISTING', own);
  const { data, errors } = await resolve([own, foreign].map((id) => ({ __typename: 'Listing', id })));
  expect(data?._entities).toMatchObject([{ seo: { keyphrase: own } }, { id: foreign, seo: null }]);
  expect(errors?.map(codeOf)).toEqual(['ownership_required']);
});

test('records and analyses are reached through their object, by id too', async () => {
  const id = put('Listing');
  const { recordId, snapshotId } = await optimise('LISTING', id);
  const references = [
    { __typename: 'SeoRecord', id: recordId },
    { __typename: 'SeoAnalysisSnapshot', id: snapshotId },
  ];
  expect((await resolve(references)).data?._entities).toEqual([
    { id: recordId, keyphrase: id, objectId: id },
    { id: snapshotId, contentVersion: '1' },
  ]);
  const stranger = await stack.signIn();
  const refused = await resolve(references, stranger);
  expect(refused.errors?.map(codeOf)).toEqual(['ownership_required', 'ownership_required']);
  expect((await resolve(references, null)).errors?.map(codeOf)).toEqual(['token_missing', 'token_missing']);
  const foreigner = await stack.signIn({ installation: stack.other });
  const elsewhere = await stack.execute(
    entities,
    { representations: references },
    { as: foreigner, installation: stack.other },
  );
  expect(elsewhere.data?._entities).toEqual([null, null]);
});

test('a list of listings costs the same commands and questions whatever its length', async () => {
  const ids = Array.from({ length: 100 }, () => put('Listing'));
  for (const id of ids.slice(0, 10)) await optimise('LISTING', id);
  const costs = [];
  for (const length of [1, 10, 100]) {
    const asked = neighbour.questions;
    const representations = ids.slice(0, length).map((id) => ({ __typename: 'Listing', id }));
    const { result, commands } = await countCommands(() => resolve(representations));
    expect(result.errors).toBeUndefined();
    costs.push({
      commands: commands.filter((name) => name.includes(' seo_')),
      questions: neighbour.questions - asked,
    });
  }
  expect(costs[0]).toEqual({
    commands: ['find seo_records', 'find seo_snapshots'],
    questions: 1,
  });
  expect(costs[1]).toEqual(costs[0]);
  expect(costs[2]).toEqual(costs[0]);
});
