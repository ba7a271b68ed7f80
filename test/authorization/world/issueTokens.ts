import { generateKeyPairSync } from 'node:crypto';
import { takeApart } from '../../support/people/takeApart.ts';
import type { TestStack } from '../../support/stack/openTestStack.ts';
import { collection } from './collection.ts';
import type { Users } from './openWorld.ts';
import { everyHuman, type Who } from './people.ts';

/** Issues the tokens of all callers, after their setup. */
export async function issueTokens(stack: TestStack, users: Users): Promise<ReadonlyMap<Who, string>> {
  const forgery = await takeApart(users.forger.token, stack);
  const late = await takeApart(users.expired.token, stack);
  const past = Math.floor(Date.now() / 1000) - 3600;
  const { privateKey: strange } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  await collection('sessions').updateOne(
    { _id: users.signedOut.sessionId },
    { $set: { revokedAt: new Date(), revokeReason: 'logout' } },
  );
  await collection('users').updateOne({ _id: users.erased.id }, { $set: { state: 'deleted' } });
  for (const who of everyHuman) stack.platform.forgetPrincipal({ userId: users[who].id });
  const tokens = new Map<Who, string>(everyHuman.map((who) => [who, users[who].token]));
  tokens.set('forger', forgery.token({ signer: (input) => forgery.es256(input, strange) }));
  tokens.set('babbler', 'let.me.in');
  tokens.set(
    'expired',
    late.token({ payload: { ...late.payload, iat: past, nbf: past, exp: past + 600, auth_time: past } }),
  );
  const stale = await takeApart(users.stale.token, stack);
  tokens.set('stale', stale.token({ payload: { ...stale.payload, auth_time: past } }));
  tokens.delete('stranger');
  return tokens;
}
