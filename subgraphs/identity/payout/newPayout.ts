import type { Platform } from '../../platform/context/Platform.ts';
import { takeUpMs } from '../money/times.ts';
import type { PayoutRecord } from './model.ts';

/** A payout before anything is set aside for it. */
export function newPayout(
  { platform }: { platform: Pick<Platform, 'now' | 'payments'> },
  stated: Pick<PayoutRecord, '_id' | 'dealerId' | 'amount' | 'kind'>,
): Omit<PayoutRecord, 'installationId'> {
  const at = new Date(platform.now());
  return {
    ...stated,
    state: 'pending',
    hold: null,
    isFunded: false,
    provider: platform.payments.provider,
    ref: null,
    attempt: 1,
    transfer: null,
    tries: 0,
    arrivalDate: null,
    failureCode: null,
    dueAt: new Date(at.getTime() + takeUpMs),
    version: 1,
    createdAt: at,
    updatedAt: at,
  };
}
