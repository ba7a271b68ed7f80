import { addOperator } from '../../../subgraphs/identity/people/operator/addOperator.ts';
import { openAuthenticator } from '../../support/people/authenticator.ts';
import { leaveTime } from '../../support/people/secondFactor.ts';
import { type SeededInstallation, unique } from '../../support/seed.ts';
import type { TestStack } from '../../support/stack/openTestStack.ts';
import { everyOperator, type Operator } from './people.ts';

/** Adds the operators of the matrix, as the command does, and signs them in. */
export async function signInOperators(
  stack: TestStack,
  { visitor }: SeededInstallation,
): Promise<{
  ids: Readonly<Record<Operator, string>>;
  tokens: readonly (readonly [Operator, string])[];
}> {
  const { platform } = stack;
  const made = await Promise.all(
    everyOperator.map(async (who) => {
      const added = await addOperator({ name: unique('ada') }, { ...platform, issuer: 'matrix' });
      leaveTime(stack);
      const secret = new URL(added.otpauthUri).searchParams.get('secret') ?? '';
      const otp = openAuthenticator(secret).code(platform.now());
      const credentials = { username: added.operator.name, password: added.password, otp };
      const body = { grant_type: 'password', ...credentials };
      const signedIn = await visitor.rest('POST', '/api/v1/auth/token', { body });
      return [who, added.operator._id, String(signedIn.body.access_token)] as const;
    }),
  );
  return {
    ids: Object.fromEntries(made.map(([who, id]) => [who, id])) as Record<Operator, string>,
    tokens: made.map(([who, , token]) => [who, token]),
  };
}
