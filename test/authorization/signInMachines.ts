import mongoose from 'mongoose';
import type { TestApp } from '../support/openTestApp.ts';
import type { SeededDealer } from '../support/seed.ts';
import { everyMachine, type Machine, type Person, people } from './people.ts';

/** A network that nobody of the matrix calls from. */
const elsewhere = '203.0.113.0/24';

/** The API clients of the matrix: their owners make them, and the token endpoint knows them. */
export async function signInMachines(
  app: TestApp,
  dealers: Readonly<Record<'garage' | 'rival', SeededDealer>>,
): Promise<{ ids: Readonly<Record<Machine, string>>; tokens: readonly (readonly [Machine, string])[] }> {
  const made = await Promise.all(
    everyMachine.map(async (who) => {
      const { dealer, scopes = [], isAway }: Person = people[who];
      const client = await makeClient(app, dealers[dealer?.name ?? 'garage'], scopes);
      const { id } = client;
      const token = await signIn(app, client);
      if (isAway) {
        // It got its token at home: nobody gets one from elsewhere.
        await mongoose.connection
          .collection<{ _id: string }>('api_clients')
          .updateOne({ _id: id }, { $set: { allowedCidrs: [elsewhere] } });
        app.stack.platform.forgetPrincipal({ clientId: id });
      }
      return [who, id, token] as const;
    }),
  );
  return {
    ids: Object.fromEntries(made.map(([who, id]) => [who, id])) as Record<Machine, string>,
    tokens: made.map(([who, , token]) => [who, token]),
  };
}

interface MadeClient {
  id: string;
  clientSecret: string;
}

/** A client of a dealer, as its owner makes it. */
export async function makeClient(
  { send }: TestApp,
  { id: dealerId, owner }: SeededDealer,
  scopes: readonly string[],
): Promise<MadeClient> {
  const path = `/api/v1/dealers/${dealerId}/api-clients`;
  const body = { name: 'Machine of the matrix', scopes };
  const { status, json, text } = await send({ method: 'POST', path, token: owner.token, body });
  if (status !== 201) throw new Error(`No client: ${text}`);
  return json;
}

async function signIn({ send }: TestApp, { id, clientSecret }: MadeClient): Promise<string> {
  const body = { grant_type: 'client_credentials', client_id: id, client_secret: clientSecret };
  const { status, json, text } = await send({ method: 'POST', path: '/api/v1/auth/token', body });
  if (status !== 200) throw new Error(`No token for a client: ${text}`);
  return json.access_token;
}
