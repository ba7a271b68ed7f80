import { recordAudit } from '../../../platform/audit/recordAudit.ts';
import { ownershipRequired } from '../../../platform/auth/ownership.ts';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { notFound } from '../../../platform/errors/AppError.ts';
import { announce } from '../../../platform/events/outbox.ts';
import { isId } from '../../../platform/ids/newId.ts';
import { inTransaction } from '../../../platform/mongo/inTransaction.ts';
import type { RevokeSeoPrivacyAcknowledgementInput } from '../../seo.generated.ts';
import { acknowledgementsOf } from './acknowledgements.ts';
import { assertAdministrator } from './acknowledgeSeoPrivacy.ts';
import type { StoredAcknowledgement } from './model.ts';

/** Revokes an acknowledgement. An already revoked one is not changed. */
export async function revokeSeoPrivacyAcknowledgement(
  { id }: RevokeSeoPrivacyAcknowledgementInput,
  context: RequestContext,
): Promise<{ acknowledgement: StoredAcknowledgement }> {
  const acknowledgements = acknowledgementsOf(context);
  const found = isId('aiAcknowledgement', id) ? await acknowledgements.findOne({ _id: id }) : null;
  if (!found) throw notFound('The acknowledgement');
  assertMayRevoke(context, found);
  const revoked = await inTransaction(async (session) => {
    const { viewer, platform } = context;
    const { scope, policyVersion, providerHost } = found;
    const data = { acknowledgementId: id, scope, policyVersion, providerHost };
    const changed = await acknowledgements.findOneAndUpdate(
      { _id: id, revokedAt: null },
      {
        $set: { revokedAt: new Date(platform.now()), revokedBy: viewer.id },
        $unset: { opens: '' },
        $push: announce(context, 'seo.ai.revoked', { data }),
      },
      { session },
    );
    if (!changed) return null;
    const target = { type: 'SeoPrivacyAcknowledgement', id };
    await recordAudit(context, { action: 'revokeSeoPrivacyAcknowledgement', target }, { session });
    return changed;
  });
  const acknowledgement = revoked ?? (await acknowledgements.findOne({ _id: id }));
  if (!acknowledgement) throw new Error(`Acknowledgement ${id} has vanished.`);
  return { acknowledgement };
}

function assertMayRevoke(context: RequestContext, { scope, userId }: StoredAcknowledgement): void {
  if (scope === 'installation') return assertAdministrator(context);
  const { viewer } = context;
  if (userId !== viewer.id && viewer.breadthOf('seo:admin') !== 'any') throw ownershipRequired();
}
