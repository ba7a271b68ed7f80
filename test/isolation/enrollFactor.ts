import type { Installation } from '../../subgraphs/platform/installation/Installation.ts';
import { openAuthenticator } from '../support/authenticator.ts';
import type { TestStack } from '../support/openTestStack.ts';

const enroll = `mutation ($input: EnrollMfaFactorInput!) {
  enrollMfaFactor(input: $input) { enrollment { secret factor { id } } } }`;

/** Begins to enroll a second factor of somebody; answers it with a code that verifies it. */
export async function enrollFactor(
  stack: TestStack,
  { token }: { token: string },
  installation: Installation,
): Promise<{ factorId: string; otp: string }> {
  const { data, errors } = await stack.execute(
    enroll,
    { input: { label: 'Phone' } },
    { as: token, installation, subgraph: 'identity' },
  );
  if (errors) throw errors[0];
  const { secret, factor } = (data as Record<string, any>).enrollMfaFactor.enrollment;
  return { factorId: factor.id, otp: openAuthenticator(secret).code(stack.platform.now()) };
}
