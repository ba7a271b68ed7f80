import type { SeededDealer, SeededInstallation } from '../../support/seed.ts';
import type { TestStack } from '../../support/stack/openTestStack.ts';
import { collection } from './collection.ts';
import { everyMachine, type Machine, type Person, people } from './people.ts';

/** A network without callers of the matrix. */
const elsewhere = '203.0.113.0/24';

/** The API clients of the matrix, created by the owners of their dealers and signed in. */
export async function signInMachines(
  { platform }: TestStack,
  { visitor }: SeededInstallation,
  dealers: Readonly<Record<'garage' | 'rival', SeededDealer>>,
): Promise<{ ids: Readonly<Record<Machine, string>>; tokens: readonly (readonly [Machine, string])[] }> {
  const made = await Promise.all(
    everyMachine.map(async (who) => {
      const { dealer, scopes = [], isAway }: Person = people[who];
      const { id, clientSecret } = await makeClient(dealers[dealer?.name ?? 'garage'], scopes);
      const body = { grant_type: 'client_credentials', client_id: id, client_secret: clientSecret };
      const signedIn = await visitor.rest('POST', '/api/v1/auth/token', { body });
      if (isAway) {
        // A token is issued only to a client inside its networks.
        const restricted = { $set: { allowedCidrs: [elsewhere] } };
        await collection('api_clients').updateOne({ _id: id }, restricted);
        platform.forgetPrincipal({ clientId: id });
      }
      return [who, id, String(signedIn.body.access_token)] as const;
    }),
  );
  return {
    ids: Object.fromEntries(made.map(([who, id]) => [who, id])) as Record<Machine, string>,
    tokens: made.map(([who, , token]) => [who, token]),
  };
}

/** A client of a dealer, created by its owner. */
export async function makeClient(
  { id: dealerId, owner }: SeededDealer,
  scopes: readonly string[],
): Promise<{ id: string; clientSecret: string }> {
  const body = { name: 'Machine of the matrix', scopes };
  return (await owner.rest('POST', `/api/v1/dealers/${dealerId}/api-clients`, { body })).body;
}
