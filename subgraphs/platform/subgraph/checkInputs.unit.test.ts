import { buildSchema, graphql } from 'graphql';
import { checkInputs, type InputRule } from './checkInputs.ts';

const schema = () =>
  buildSchema(`
    directive @guard__length(max: Int!) on INPUT_FIELD_DEFINITION
    directive @guard__range(min: Float!, max: Float!) on INPUT_FIELD_DEFINITION
    directive @guard__maxItems(count: Int!) on INPUT_FIELD_DEFINITION
    directive @guard__limits(arrays: Int) on FIELD_DEFINITION
    scalar Any
    input Tag { name: String @guard__length(max: 3) }
    input Save { title: String @guard__length(max: 3), tags: [Tag] @guard__maxItems(count: 2), stars: Int = 9 @guard__range(min: 1, max: 5) }
    type Query {
      save(input: Save!): String
      find(filter: Tag): String
      free(input: Tag): String
      list(first: Int, limit: Int, ids: [ID!]): [Query]
      wide(ids: [ID!]): String @guard__limits(arrays: 300)
      _entities(representations: [Any!]!): [String]
    }
  `);

async function pointersOf(source: string, rules: Readonly<Record<string, InputRule>> = {}) {
  const { errors = [] } = await graphql({ schema: checkInputs(schema(), rules), source });
  const problem = errors[0]?.extensions.problem as
    | { errors: { pointer: string; code: string }[] }
    | undefined;
  return (problem?.errors ?? []).map(({ pointer, code }) => `${pointer} ${code}`);
}

test('all violations of limits and rules of an input are reported together', async () => {
  const rule: InputRule = () => [{ pointer: '#/extra', code: 'invalid', detail: 'No.' }];
  const source = '{ save(input: { title: "long", tags: [null, { name: "also" }] }) }';
  expect(await pointersOf(source, { save: rule })).toEqual([
    '#/title too_long',
    '#/tags/1/name too_long',
    '#/stars invalid',
    '#/extra invalid',
  ]);
});

test('violations in the entries of a list that is too long are not reported', async () => {
  const source = '{ save(input: { stars: 1, tags: [{ name: "long" }, {}, {}] }) }';
  expect(await pointersOf(source)).toEqual(['#/tags too_many']);
});

test('null, an absent member and characters of two UTF-16 units are within the limits', async () => {
  expect(await pointersOf('{ save(input: { title: "🚗🚗🚗", tags: null, stars: null }) free }')).toEqual([]);
});

test('the pointer of an argument other than the input begins with its name', async () => {
  expect(await pointersOf('{ find(filter: { name: "long" }) }')).toEqual(['#/filter/name too_long']);
});

test('a rule of a field that does not exist stops the start', () => {
  expect(() => checkInputs(schema(), { sav: () => [] })).toThrow('sav');
});

test('a page of more than 100 entries is refused, also below another field', async () => {
  expect(await pointersOf('{ list(first: 101, limit: 1000) { free } }')).toEqual([
    '#/first invalid',
    '#/limit invalid',
  ]);
  const nested = checkInputs(schema());
  const resolved = await graphql({
    schema: nested,
    source: '{ list(first: 100) { list(first: 1000) { free } } }',
    rootValue: { list: [{}] },
  });
  expect(resolved.errors?.map(({ path }) => path)).toEqual([['list', 0, 'list']]);
});

test('a list has at most 250 entries, or as many as its field states; entities are not limited', async () => {
  const ids = (count: number) => JSON.stringify(Array.from({ length: count }, String));
  const refused = await Promise.all(
    [
      `{ list(ids: ${ids(250)}) { free } }`,
      `{ list(ids: ${ids(251)}) { free } }`,
      `{ wide(ids: ${ids(300)}) }`,
      `{ wide(ids: ${ids(301)}) }`,
      `{ _entities(representations: ${ids(1000)}) }`,
    ].map((source) => pointersOf(source)),
  );
  expect(refused).toEqual([[], ['#/ids too_many'], [], ['#/ids too_many'], []]);
});
