import { commandsOf } from '../../../../test/support/commandsOf.ts';
import { openTestStack, type TestStack } from '../../../../test/support/openTestStack.ts';
import { seed } from '../../../../test/support/seed.ts';
import { buildIdentity } from '../../server.ts';
import { warmCatalog } from './warmCatalog.ts';

let stack: TestStack;

beforeAll(async () => {
  stack = await openTestStack({ subgraphs: [buildIdentity] });
});
afterAll(() => stack.close());

test('every installation’s catalogue is read at the start, so that a visitor waits for changes alone', async () => {
  const shop = await seed(stack).installation();
  const anna = await shop.user();
  const { id } = await anna.listing({ published: true });
  const commands = await commandsOf(() => warmCatalog(stack.platform));
  const reading = ['find catalog_listings', 'find catalog_removals'];
  expect(commands).toEqual(stack.platform.installations.all.flatMap(() => reading).sort());
  const { data } = await stack.execute(
    '{ catalogListings(count: true) { totalCount nodes { id } } }',
    {},
    { installation: shop.installation },
  );
  expect(data?.catalogListings).toEqual({ totalCount: '1', nodes: [{ id }] });
});
