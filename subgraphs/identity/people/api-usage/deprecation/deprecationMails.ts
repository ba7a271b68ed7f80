import {
  type DeprecatedPart,
  readDeprecatedParts,
} from '../../../../../schema/deprecation/DeprecatedPart.ts';
import { reads, scoped } from '../../../../platform/installation/scoped.ts';
import type { DueScope } from '../../../../platform/jobs/dueJob.ts';
import type { Job, JobRun } from '../../../../platform/jobs/Job.ts';
import { inTransaction } from '../../../../platform/mongo/inTransaction.ts';
import { dayMs, hourMs } from '../../../../platform/time/durations.ts';
import type { DeprecatedUse } from '../../../mail/MailTemplate.ts';
import { ApiClientModel, type ApiClientRecord } from '../../api-client/model.ts';
import { mailOwners } from '../../dealer/mailOwners.ts';
import { DealerModel, type DealerRecord } from '../../dealer/model.ts';
import { findDeprecatedUses } from './findDeprecatedUses.ts';
import { DeprecationNoticeModel } from './model.ts';

const shownParts = 10;
const keptDays = 62;

/** Sends mails to the owners of API clients that use deprecated parts of the API. */
export const deprecationMails: Job = {
  name: 'identity.deprecation-mails',
  everyMs: 6 * hourMs,
  run: (run) => sendDeprecationMails(run, readDeprecatedParts()),
};

/**
 * Queues one mail for each API client with new uses of deprecated parts. A part is reported to the owners of a client at most
 * once a month.
 *
 * @param parts deprecated parts of the API
 */
export async function sendDeprecationMails(
  { platform, signal, assertHeld }: Pick<JobRun, 'platform' | 'signal' | 'assertHeld'>,
  parts: readonly DeprecatedPart[],
): Promise<void> {
  if (parts.length === 0) return;
  for (const installation of platform.installations.all) {
    const scope = { installationId: installation.id, installation, platform };
    const uses = await findDeprecatedUses(scope.installationId, parts, platform.now());
    const clients = await reads(ApiClientModel, scope.installationId).find({
      _id: { $in: [...uses.keys()] },
    });
    const found = await reads(DealerModel, scope.installationId).find({
      _id: { $in: clients.map(({ dealerId }) => dealerId) },
    });
    const dealers = new Map(found.map((dealer) => [dealer._id, dealer]));
    for (const client of clients) {
      const dealer = dealers.get(client.dealerId);
      if (!dealer) continue;
      if (signal.aborted) return;
      await assertHeld();
      await warnOwners(scope, { client, dealer }, uses.get(client._id) ?? []);
    }
  }
}

async function warnOwners(
  scope: DueScope,
  { client: { _id: clientId, name, expiresAt }, dealer }: { client: ApiClientRecord; dealer: DealerRecord },
  uses: readonly DeprecatedUse[],
): Promise<void> {
  const { installationId, installation, platform } = scope;
  const at = new Date(platform.now());
  if (expiresAt !== null && expiresAt <= at) return;
  const notices = scoped(DeprecationNoticeModel, installationId);
  const _id = `${clientId} ${at.toISOString().slice(0, 7)}`;
  await inTransaction(async (session) => {
    const known = await notices.findOne({ _id }, { session });
    const fresh = uses.filter(({ part }) => !known?.parts.includes(part));
    if (fresh.length === 0) return;
    const update = {
      $addToSet: { parts: { $each: fresh.map(({ part }) => part) } },
      $set: { expiresAt: new Date(at.getTime() + keptDays * dayMs) },
    };
    await notices.findOneAndUpdate({ _id }, update, { session, upsert: true });
    const data = {
      tradeName: dealer.tradeName,
      name,
      parts: JSON.stringify(fresh.slice(0, shownParts)),
      more: String(Math.max(fresh.length - shownParts, 0)),
      url: `${installation.baseUrl}/docs/changelog#deprecations`,
    };
    await mailOwners(scope, dealer, { template: 'deprecatedUse', data }, session);
  });
}
