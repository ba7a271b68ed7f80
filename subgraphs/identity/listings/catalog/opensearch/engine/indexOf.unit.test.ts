import type { API } from '@opensearch-project/opensearch';
import { indexOf } from './indexOf.ts';
import type { ScopedSearch, SearchEngine } from './SearchEngine.ts';

const asked: API.Search_Request[] = [];
const engine = {
  alias: 'catalog',
  async search(request: ScopedSearch) {
    asked.push(request);
    return { hits: { hits: [] } };
  },
} as unknown as SearchEngine;

test('every search has the installation as routing and as a condition', async () => {
  await indexOf(engine, 'ins_1').search({ filter: [{ term: { withdrawn: { value: false } } }], size: 1 });
  await indexOf(engine, 'ins_1').search({ filter: [], size: 1, pointInTime: 'opened' });
  const condition = { term: { installationId: { value: 'ins_1' } } };
  expect(asked[0]).toMatchObject({ index: 'catalog', routing: 'ins_1' });
  expect(asked[0]?.body?.query?.bool?.filter).toEqual([condition, { term: { withdrawn: { value: false } } }]);
  expect(asked[1]?.body?.query?.bool?.filter).toEqual([condition]);
});

test('a search without an installation neither compiles nor runs', () => {
  const search = (request: API.Search_Request) =>
    // @ts-expect-error Only `indexOf` creates a search with an installation.
    engine.search(request);
  expect(search).toBeInstanceOf(Function);
  expect(() => indexOf(engine, '')).toThrow('needs an installation');
});
