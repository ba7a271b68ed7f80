import { dueJob } from '../../../platform/jobs/dueJob.ts';
import { takeSteps } from '../steps/takeSteps.ts';
import { disputeSteps } from './disputeSteps.ts';
import { DisputeModel } from './record/model.ts';

/** Starts the review of disputes without a response of the dealer within seven days. */
export const disputesJob = dueJob({
  name: 'identity.disputes',
  everyMs: 15_000,
  model: DisputeModel,
  due: 'dueAt',
  retryMs: 60_000,
  work: (scope, dispute) => takeSteps(disputeSteps, scope, dispute),
});
