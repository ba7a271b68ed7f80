import { commandsOf } from '../support/commandsOf.ts';
import { product } from '../support/product.ts';
import { describeReads } from './reads/describeReads.ts';
import { openPeople, peopleRows } from './reads/people.ts';

const world = product();
describeReads(world, openPeople, peopleRows);

test('GET /me costs at most three commands, and one when the caller is known', async () => {
  const user = await world.market.user();
  const me = () => user.rest('GET', '/api/v1/me');
  world.stack.platform.forgetPrincipal({ userId: user.id });
  expect((await commandsOf(me)).length).toBeLessThanOrEqual(3);
  expect(await commandsOf(me)).toEqual(['aggregate users']);
});
