import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { buildSchema } from 'graphql';
import { readGuard } from '../../schema/guards/readGuard.ts';
import { readRateClass } from '../../schema/guards/readRateClass.ts';
import { readTraits } from '../../schema/route/readTraits.ts';
import { validCall } from '../authorization/matrix/validCalls.ts';
import { collection } from '../authorization/world/collection.ts';
import { openWorld, type World } from '../authorization/world/openWorld.ts';
import { askGraphql, inputOf, readMutations, tokenOf } from './mutations.ts';
import { enrich } from './otherRequest.ts';

const sdl = readFileSync(new URL('../../schema/supergraph.graphql', import.meta.url), 'utf8');
const fields = Object.values(
  buildSchema(sdl, { assumeValidSDL: true }).getMutationType()?.getFields() ?? {},
).filter((field) => readRateClass(field) === 'MONEY' || readTraits(field).idempotent?.required);
const names = new Set(fields.map(({ name }) => name));
const money = readMutations().filter(({ name }) => names.has(name));

test('every mutation of the rate class MONEY, or that requires an idempotency key, states @guard__freshCaller', () => {
  expect(fields.length).toBeGreaterThan(15);
  expect(fields.filter((field) => !readGuard(field)?.freshCaller).map(({ name }) => name)).toEqual([]);
});

let world: World;
beforeAll(async () => {
  world = await openWorld();
  await enrich(world);
  // The process receives no changes, as if its change stream had just failed.
  await world.app.stack.platform.changes.close();
});
afterAll(() => world.app.close());

const sessions = () => collection('sessions');

/** The code with which a query that accepts a cached caller refuses the token. Undefined if it succeeds. */
async function askRemembered(token: string | undefined): Promise<string | undefined> {
  const { json } = await world.app.send({
    method: 'POST',
    path: '/graphql',
    token,
    body: { query: '{ me { id } }' },
  });
  return json?.errors?.[0]?.extensions.problem?.code;
}

test.each(money)(
  '$name refuses a session that was revoked while its caller is cached',
  async ({ operation, members }) => {
    const valid = await validCall(world, operation);
    const token = tokenOf(world, valid) ?? '';
    const { sid } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
    const revoke = (revokedAt: Date | null) => sessions().updateOne({ _id: sid }, { $set: { revokedAt } });
    // An earlier row may have cached the caller.
    world.app.stack.platform.forgetPrincipal({ sessionId: sid });
    await askRemembered(token);
    expect(await revoke(new Date())).toMatchObject({ matchedCount: 1 });
    const isRemembered = (await askRemembered(token)) === undefined;
    const input = {
      ...inputOf(valid),
      ...(members.has('idempotencyKey') && { idempotencyKey: randomUUID() }),
    };
    const answer = await askGraphql(world, valid, input);
    await revoke(null);
    expect({ isRemembered, outcome: answer.outcome }).toEqual({
      isRemembered: true,
      outcome: '401 session_revoked',
    });
  },
);

test('a caller is refused as not an owner right after losing the support role, while the role is cached', async () => {
  const { garage } = world;
  const support = await world.twin('support');
  const dealerId = garage.id;
  expect(await support.dealerBalance({ dealerId }, 'dealerId')).toEqual({ dealerId });
  await collection('users').updateOne({ _id: support.id }, { $set: { roles: ['buyer'] } });
  expect(await support.me({}, 'roles')).toEqual({ roles: expect.arrayContaining(['SUPPORT']) });
  expect(await support.dealerBalance({ dealerId }, 'dealerId')).toBeRefused(403, 'ownership_required');
});
