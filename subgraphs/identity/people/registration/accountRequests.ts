import type { ClientSession } from 'mongoose';
import type { Installation } from '../../../platform/installation/Installation.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { drainEach } from '../../../platform/jobs/drainEach.ts';
import type { Job, JobRun } from '../../../platform/jobs/Job.ts';
import { inTransaction } from '../../../platform/mongo/inTransaction.ts';
import { mailEmailVerification } from '../email-verification/mailEmailVerification.ts';
import {
  type AccountRequestKind,
  AccountRequestModel,
  type AccountRequestRecord,
} from '../mail-link/model.ts';
import { accountRequestsJob } from '../mail-link/requestForAddress.ts';
import { mailPasswordReset } from '../password-reset/mailPasswordReset.ts';
import { UserModel, type UserRecord } from '../user/model.ts';
import { createRequestedAccount } from './createRequestedAccount.ts';

const batchSize = 100;

/** Scope in which requests are processed. */
interface RequestScope {
  platform: JobRun['platform'];
  installation: Installation;
  installationId: string;
}

/** Processes a request for the account of its address; without an account nothing happens. */
const answers: Readonly<
  Record<
    Exclude<AccountRequestKind, 'registration'>,
    (scope: RequestScope, user: UserRecord, options: { session: ClientSession }) => Promise<void>
  >
> = {
  password_reset: mailPasswordReset,
  email_verification: mailEmailVerification,
};

/**
 * Processes requests of anonymous callers. Each request is processed once: it is removed in the transaction that queues
 * the mail.
 */
export const accountRequests: Job = {
  name: accountRequestsJob,
  everyMs: 30_000,
  run: (run) =>
    drainEach(run, batchSize, async (installation) => {
      const scope = { platform: run.platform, installation, installationId: installation.id };
      const requests = await scoped(AccountRequestModel, installation.id).find(
        {},
        { sort: { createdAt: 1 }, limit: batchSize },
      );
      for (const request of requests) {
        if (run.signal.aborted) break;
        await answer(scope, request);
      }
      return requests.length;
    }),
};

async function answer(scope: RequestScope, request: AccountRequestRecord): Promise<void> {
  const { installationId } = scope;
  const { _id, kind, emailNormalized } = request;
  const take = async (session: ClientSession): Promise<boolean> =>
    (await scoped(AccountRequestModel, installationId).deleteMany({ _id }, { session })) === 1;
  if (kind === 'registration') return createRequestedAccount(scope, request, take);
  await inTransaction(async (session) => {
    if (!(await take(session))) return;
    const user = await scoped(UserModel, installationId).findOne({ emailNormalized }, { session });
    if (user && user.state !== 'deleted') await answers[kind](scope, user, { session });
  });
}
