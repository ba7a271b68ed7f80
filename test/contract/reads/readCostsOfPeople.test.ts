import { product } from '../../support/product.ts';
import { commandsOf } from '../../support/stack/commandsOf.ts';
import { describeReads } from './describeReads.ts';
import { openPeople, peopleRows } from './people.ts';

const world = product();
describeReads(world, openPeople, peopleRows);

test('GET /me costs three commands, and one if the caller is cached', async () => {
  const user = await world.market.user();
  const me = () => user.rest('GET', '/api/v1/me');
  await me();
  world.stack.platform.forgetPrincipal({ userId: user.id });
  expect(await commandsOf(me)).toHaveLength(3);
  expect(await commandsOf(me)).toEqual(['aggregate users']);
});
