import { resumeAfterMs } from '../../subgraphs/identity/kernel/money/times.ts';
import buildIdentity from '../../subgraphs/identity/server.ts';
import { usualLeaseMs } from '../../subgraphs/platform/jobs/startJobs.ts';
import { describeDeadPayments, promisedMs } from './describeDeadPayments.ts';
import { jobs } from './perform.ts';

/** Fraction of a lease after which its expiry is noticed, and the maximum jitter of this time and of job intervals. */
const [searchPart, jitter] = [0.3, 1.1];

test.each(jobs)(
  'the lease and interval of the job %s let another process run it within a minute of a kill',
  (name) => {
    const job = buildIdentity().jobs.find((one) => one.name === `identity.${name}`);
    const takenMs = usualLeaseMs + usualLeaseMs * searchPart * jitter;
    const ranMs = Math.max(takenMs, resumeAfterMs) + (job?.everyMs ?? promisedMs) * jitter;
    expect(ranMs).toBeLessThanOrEqual(promisedMs);
  },
);

describeDeadPayments('before or behind');
