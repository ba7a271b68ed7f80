import { resumeAfterMs } from '../../subgraphs/identity/kernel/money/times.ts';
import buildIdentity from '../../subgraphs/identity/server.ts';
import { usualLeaseMs } from '../../subgraphs/platform/jobs/startJobs.ts';
import { describeDeadPayments, promisedMs } from './describeDeadPayments.ts';
import { jobs } from './perform.ts';

/** Part of a lease after which its end is noticed, and what is added to it and to the interval of a job at random. */
const [searchPart, jitter] = [0.3, 1.1];

test.each(jobs)('the job %s of a killed process has run in another one within a minute', (name) => {
  const job = buildIdentity().jobs.find((one) => one.name === `identity.${name}`);
  const takenMs = usualLeaseMs + usualLeaseMs * searchPart * jitter;
  const ranMs = Math.max(takenMs, resumeAfterMs) + (job?.everyMs ?? promisedMs) * jitter;
  expect(ranMs).toBeLessThanOrEqual(promisedMs);
});

describeDeadPayments('before or behind');
