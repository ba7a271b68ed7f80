import { dueJob } from '../../../platform/jobs/dueJob.ts';
import { takeSteps } from '../steps/takeSteps.ts';
import { PayoutModel } from './model.ts';
import { payoutSteps } from './payoutSteps.ts';

/** Sends payouts to the provider and reads their outcome. */
export const payoutsJob = dueJob({
  name: 'identity.payouts',
  everyMs: 15_000,
  model: PayoutModel,
  due: 'dueAt',
  retryMs: 60_000,
  work: (scope, payout) => takeSteps(payoutSteps, scope, payout),
});
