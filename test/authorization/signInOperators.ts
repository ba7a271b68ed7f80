import { addOperator } from '../../subgraphs/identity/operator/addOperator.ts';
import { openAuthenticator } from '../support/authenticator.ts';
import type { TestApp } from '../support/openTestApp.ts';
import { leaveTime } from '../support/secondFactor.ts';
import { unique } from '../support/seed.ts';
import { everyOperator, type Operator } from './people.ts';

/** The operators of the matrix: made as the command makes them, and known to the token endpoint. */
export async function signInOperators(app: TestApp): Promise<{
  ids: Readonly<Record<Operator, string>>;
  tokens: readonly (readonly [Operator, string])[];
}> {
  const { platform } = app.stack;
  const made = await Promise.all(
    everyOperator.map(async (who) => {
      const added = await addOperator({ name: unique('ada') }, { ...platform, issuer: 'matrix' });
      leaveTime(app.stack);
      const secret = new URL(added.otpauthUri).searchParams.get('secret') ?? '';
      const body = {
        grant_type: 'password',
        username: added.operator.name,
        password: added.password,
        otp: openAuthenticator(secret).code(platform.now()),
      };
      const { status, json, text } = await app.send({ method: 'POST', path: '/api/v1/auth/token', body });
      if (status !== 200) throw new Error(`No token for an operator: ${text}`);
      return [who, added.operator._id, json.access_token] as const;
    }),
  );
  return {
    ids: Object.fromEntries(made.map(([who, id]) => [who, id])) as Record<Operator, string>,
    tokens: made.map(([who, , token]) => [who, token]),
  };
}
