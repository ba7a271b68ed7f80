import { dueJob } from '../../platform/jobs/dueJob.ts';
import { PayoutModel } from './model.ts';
import { workOnPayout } from './workOnPayout.ts';

/** Sends payouts to the provider and reads their outcome. */
export const payoutsJob = dueJob({
  name: 'identity.payouts',
  everyMs: 15_000,
  model: PayoutModel,
  due: 'dueAt',
  retryMs: 60_000,
  work: workOnPayout,
});
