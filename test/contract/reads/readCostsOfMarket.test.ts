import { product } from '../../support/product.ts';
import { changesHeard } from '../../support/stack/changesHeard.ts';
import { commandsOf } from '../../support/stack/commandsOf.ts';
import { describeReads } from './describeReads.ts';
import { marketRows, openMarket } from './market.ts';

const world = product();
describeReads(world, openMarket, marketRows);

test('a join of 20 listings over the three subgraphs costs at most six database commands', async () => {
  const dealer = await world.market.dealer();
  for (let index = 0; index < 20; index += 1) await dealer.listing({ published: true });
  const query = `{ listings(first: 20) { nodes {
    title seo { keyphrase latestAnalysis { scores { seo { value } } } } translations { languageCode fields { title } }
  } } }`;
  const join = async () => {
    const { body } = await dealer.owner.rest('POST', '/graphql', { body: { query } });
    expect(body.errors ?? body.data.listings.nodes).toHaveLength(20);
  };
  // The first call caches the languages of the installation and the caller.
  await changesHeard();
  await join();
  const commands = await commandsOf(join);
  expect(commands.length).toBeLessThanOrEqual(6);
  expect(commands).not.toContain('find owners');
});
