import {
  openSession,
  type SignInFacts,
  type Tokens,
} from '../../../subgraphs/identity/people/session/openSession.ts';
import { UserModel } from '../../../subgraphs/identity/people/user/model.ts';
import type { SeededInstallation } from '../seed.ts';
import type { TestStack } from '../stack/openTestStack.ts';

/** Opens a further session of a user, with a password unless stated, at the current time of the clock. */
export async function signInAgain(
  { stack, market }: { stack: TestStack; market: SeededInstallation },
  { id }: { id: string },
  facts: Partial<SignInFacts> = {},
): Promise<Tokens> {
  const record = await market.records(UserModel).findOne({ _id: id });
  if (!record) throw new Error(`The user ${id} does not exist.`);
  const context = stack.contextFor({ installation: market.installation });
  return openSession(context, record, { amr: ['pwd'], ...facts });
}
