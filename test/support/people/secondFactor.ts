import type { Installation } from '../../../subgraphs/platform/installation/Installation.ts';
import type { TestStack } from '../stack/openTestStack.ts';
import { type Authenticator, openAuthenticator } from './authenticator.ts';

/** A factor in enrollment, and the application that generates its codes. */
export interface EnrolledFactor {
  factorId: string;
  app: Authenticator;
}

/** The caller who enrolls a factor. */
interface Enrolling {
  stack: TestStack;
  as: { token: string };
  installation: Installation;
}

const enroll = `mutation ($input: EnrollMfaFactorInput!) {
  enrollMfaFactor(input: $input) { enrollment { secret factor { id } } } }`;
const verify = `mutation ($input: VerifyMfaFactorInput!) { verifyMfaFactor(input: $input) { recoveryCodes } }`;

/** Starts the enrollment of a second factor. */
export async function enrollFactor(enrolling: Enrolling, label = 'Phone'): Promise<EnrolledFactor> {
  leaveTime(enrolling.stack);
  const { enrollment } = (await call(enrolling, enroll, { label })).enrollMfaFactor;
  return { factorId: enrollment.factor.id, app: openAuthenticator(enrollment.secret) };
}

/**
 * Enrolls and verifies a second factor with the code of the previous step, so that the current code stays unused. Returns
 * its recovery codes if it is the first factor.
 */
export async function activateFactor(
  enrolling: Enrolling,
  label?: string,
): Promise<EnrolledFactor & { recoveryCodes: string[] }> {
  const { factorId, app } = await enrollFactor(enrolling, label);
  const otp = app.code(enrolling.stack.platform.now(), -1);
  const { recoveryCodes } = (await call(enrolling, verify, { factorId, otp })).verifyMfaFactor;
  return { factorId, app, recoveryCodes };
}

/** Advances to the next step of 30 seconds if this one is about to end, so that no code expires during a request. */
export function leaveTime({ platform, advance }: TestStack): void {
  const left = 30_000 - (platform.now() % 30_000);
  if (left < 10_000) advance(left + 1);
}

async function call(
  { stack, as, installation }: Enrolling,
  source: string,
  input: object,
): Promise<Record<string, any>> {
  const options = { as: as.token, installation, subgraph: 'identity' };
  const { data, errors } = await stack.execute(source, { input }, options);
  if (errors || !data) throw errors?.[0] ?? new Error('Nothing was answered.');
  return data;
}
