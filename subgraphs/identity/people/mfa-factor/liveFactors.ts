import { notFound } from '../../../platform/errors/AppError.ts';
import type { MfaFactorRecord, UserRecord } from '../user/model.ts';

/** A factor that is enrolled and never verified is forgotten after this time. */
export const verificationLifeMs = 10 * 60_000;

/** Returns the factors at a time: active ones, and those that can still be verified. */
export function liveFactors(factors: readonly MfaFactorRecord[], nowMs: number): MfaFactorRecord[] {
  return factors.filter(
    ({ state, createdAt }) => state === 'active' || createdAt.getTime() + verificationLifeMs > nowMs,
  );
}

/** Returns whether sign-in requires a second factor. */
export function hasActiveFactor(factors: readonly MfaFactorRecord[]): boolean {
  return factors.some(({ state }) => state === 'active');
}

/**
 * Returns the path of a factor in its user's record, for conditional updates. The condition must also contain its id.
 *
 * @throws AppError `not_found`
 */
export function pathOfFactor(user: Pick<UserRecord, 'factors'> | null, factorId: string): string {
  const index = user?.factors.findIndex(({ id }) => id === factorId) ?? -1;
  if (index >= 0) return `factors.${index}`;
  throw notFound('The second factor');
}
