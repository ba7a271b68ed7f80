import { readFileSync } from 'node:fs';
import { buildSchema, isInputObjectType } from 'graphql';
import { createNeighbour } from '../../../test/support/createNeighbour.ts';
import { openTestStack, type TestStack } from '../../../test/support/openTestStack.ts';
import { problemOf } from '../../../test/support/problemOf.ts';
import type { SignedIn } from '../../../test/support/signIn.ts';
import { storeEvents } from '../../platform/events/storeEvents.ts';
import { newId } from '../../platform/ids/newId.ts';
import { countCommands } from '../../platform/mongo/countCommands.ts';
import { DismissalModel } from '../dismissal/model.ts';
import { buildSeo } from '../server.ts';

const neighbour = createNeighbour();
let stack: TestStack;
let seller: SignedIn;

beforeAll(async () => {
  stack = await openTestStack({ subgraphs: [buildSeo], askOwner: neighbour.askOwner });
  seller = await stack.signIn({ roles: ['buyer', 'seller'] });
});
afterAll(() => stack.close());

const list = `query ($input: SeoRecommendationsInput!) { seoRecommendations(input: $input) {
  ruleset inputHash scores { seo { value } } projectedScore total
  items { id checkIds priority severity effort score expectedGain title why steps
    target { field start end } suggestionKinds dismissed } } }`;

function recommend(input: object, as: SignedIn | null = seller) {
  return stack.execute(list, { input }, { as });
}

async function recommended(input: object) {
  const { data, errors } = await recommend(input);
  expect(errors).toBeUndefined();
  return data?.seoRecommendations;
}

function dismiss(input: object, as: SignedIn | null = seller) {
  return stack.execute(
    `mutation ($input: DismissSeoRecommendationInput!) { dismissSeoRecommendation(input: $input) {
      dismissal { objectType objectId locale checkId dismissed } } }`,
    { input },
    { as },
  );
}

function putListing({
  id = newId('listing'),
  ownerId = seller.id,
  contentVersion = 1,
  html = '<p>A tyre for winter roads that was tested by many drivers.</p>',
} = {}) {
  neighbour.put({
    type: 'Listing',
    id,
    installationId: stack.demo.id,
    ownerId,
    contentVersion,
    content: {
      languageTag: 'en',
      visibility: 'PRIVATE',
      url: null,
      slug: null,
      title: 'Tyre',
      html,
      fields: {},
    },
  });
  return { type: 'LISTING', id };
}

function idsOf(result: { items: { checkIds: string[] }[] }): string[] {
  return result.items.flatMap(({ checkIds }) => checkIds);
}

const draft = { content: '<p>A car.</p>', seoTitle: 'Car', keyphrase: 'used van', locale: 'en' };

test('the list says what to do, why, where, and what it brings', async () => {
  const result = await recommended(draft);
  expect(result).toMatchObject({ ruleset: '2026.1', projectedScore: 100 });
  expect(result.inputHash).toMatch(/^sha256:/);
  expect(result.total).toBeGreaterThanOrEqual(result.items.length);
  expect(result.items.map(({ priority }: { priority: number }) => priority)).toEqual(
    result.items.map((_: unknown, index: number) => index + 1),
  );
  const title = result.items.find(({ checkIds }: { checkIds: string[] }) => checkIds.includes('title.width'));
  expect(title).toMatchObject({ effort: 'LOW', score: 'SEO', suggestionKinds: ['SEO_TITLE'] });
  expect(title.steps.join(' ')).toContain('pixels wide');
});

test('the same input gives the same bytes', async () => {
  const answers = new Set<string>();
  for (let run = 0; run < 3; run += 1) answers.add(JSON.stringify(await recommended(draft)));
  expect(answers.size).toBe(1);
});

test('a limit and a least severity shorten the list, and a wrong limit is refused', async () => {
  const whole = await recommended({ ...draft, limit: 50 });
  const two = await recommended({ ...draft, limit: 2 });
  expect(two.items).toEqual(whole.items.slice(0, 2));
  expect(two.total).toBe(whole.total);
  const important = await recommended({ ...draft, limit: 50, minSeverity: 'IMPORTANT' });
  expect(important.total).toBe(
    whole.items.filter(({ severity }: { severity: string }) => severity !== 'MINOR').length,
  );
  for (const limit of [0, 51, -1]) {
    expect(problemOf(await recommend({ ...draft, limit }))).toMatchObject({
      status: 422,
      errors: [{ pointer: '#/limit' }],
    });
  }
});

test('an object that was analysed before is not analysed again, until it changes', async () => {
  const object = putListing();
  const fresh = await recommended({ object });
  const refreshed = await stack.execute(
    'mutation ($input: SeoRefreshInput!) { seoRefresh(input: $input) { current { inputHash } } }',
    { input: { object } },
    { as: seller },
  );
  expect(refreshed.errors).toBeUndefined();
  const { result, commands } = await countCommands(() => recommended({ object }));
  expect(result).toEqual(fresh);
  expect(commands.filter((name) => name.includes('seo_')).toSorted()).toEqual([
    'find seo_dismissals',
    'find seo_records',
    'find seo_snapshots',
  ]);
  putListing({ ...object, contentVersion: 2, html: '<p>Lorem ipsum dolor sit amet.</p>' });
  expect(idsOf(await recommended({ object, limit: 50 }))).toContain('content.placeholder');
});

describe('dismissals', () => {
  test('what is dismissed is not recommended until it is taken back', async () => {
    const object = putListing();
    const before = await recommended({ object, limit: 50 });
    expect(idsOf(before)).toContain('content.length');
    for (let time = 0; time < 2; time += 1) {
      const { data, errors } = await dismiss({ object, checkId: 'content.length', dismissed: true });
      expect(errors).toBeUndefined();
      expect(data?.dismissSeoRecommendation.dismissal).toEqual({
        objectType: 'LISTING',
        objectId: object.id,
        locale: 'en',
        checkId: 'content.length',
        dismissed: true,
      });
    }
    expect(idsOf(await recommended({ object, limit: 50 }))).not.toContain('content.length');
    const all = await recommended({ object, limit: 50, includeDismissed: true });
    expect(all.items.filter(({ dismissed }: { dismissed: boolean }) => dismissed)).toMatchObject([
      { checkIds: ['content.length'] },
    ]);
    await dismiss({ object, checkId: 'content.length', dismissed: false });
    expect(await recommended({ object, limit: 50 })).toEqual(before);
  });

  test('another value of the check is recommended again', async () => {
    const object = putListing();
    await dismiss({ object, checkId: 'content.length', dismissed: true });
    putListing({ ...object, contentVersion: 2, html: '<p>Another tyre for winter roads.</p>' });
    expect(idsOf(await recommended({ object, limit: 50 }))).toContain('content.length');
  });

  test('they hold for one object and leave others alone', async () => {
    const object = putListing();
    const other = putListing();
    await dismiss({ object, checkId: 'content.length', dismissed: true });
    expect(idsOf(await recommended({ object: other, limit: 50 }))).toContain('content.length');
  });

  test('only who may edit the object dismisses, and only checks that there are', async () => {
    const object = putListing({ ownerId: newId('user') });
    expect(problemOf(await dismiss({ object, checkId: 'content.length', dismissed: true }))).toMatchObject({
      status: 403,
      code: 'ownership_required',
    });
    const own = putListing();
    for (const checkId of ['no.such', '', '__proto__', 'constructor']) {
      expect(problemOf(await dismiss({ object: own, checkId, dismissed: true }))).toMatchObject({
        status: 422,
        errors: [{ pointer: '#/checkId' }],
      });
    }
  });

  test('they go with their object', async () => {
    const object = putListing();
    await dismiss({ object, checkId: 'content.length', dismissed: true });
    const filter = { installationId: stack.demo.id, objectId: object.id };
    expect(await DismissalModel.countDocuments(filter)).toBe(1);
    await storeEvents([
      {
        id: newId('auditEvent'),
        at: new Date(),
        type: 'object.deleted',
        installationId: stack.demo.id,
        object: { type: 'listing', id: object.id },
        contentVersion: 2,
        payload: null,
      },
    ]);
    await stack.runJob('seo.erasures');
    expect(await DismissalModel.countDocuments(filter)).toBe(0);
  });
});

test('a page is described by the same members as for an analysis', () => {
  const schema = buildSchema(readFileSync(new URL('../../../schema/api.graphql', import.meta.url), 'utf8'));
  const fieldsOf = (name: string) => {
    const type = schema.getType(name);
    if (!isInputObjectType(type)) throw new Error(`${name} is no input.`);
    return Object.values(type.getFields()).map((field) => `${field.name}: ${String(field.type)}`);
  };
  const analysis = fieldsOf('SeoAnalysisInput');
  expect(fieldsOf('SeoRecommendationsInput')).toEqual(expect.arrayContaining(analysis));
});
