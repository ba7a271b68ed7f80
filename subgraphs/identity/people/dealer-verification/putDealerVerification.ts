import { isDeepStrictEqual } from 'node:util';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { AppError, invalidFields, notFound } from '../../../platform/errors/AppError.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { inTransaction } from '../../../platform/mongo/inTransaction.ts';
import type { PutDealerVerificationInput } from '../../identity.generated.ts';
import { assertMayChange } from '../../kernel/dealer-standing/assertMayChange.ts';
import { setMediaUsage } from '../../media/setMediaUsage.ts';
import { DealerModel, type DealerRecord, neverQueued } from '../dealer/model.ts';
import type { StoredVerification, VerificationContent } from '../dealer/verification.ts';
import { normalizeVatId } from './checkVatId.ts';
import { checkVerification } from './checkVerification.ts';
import { contentOf, filesOf, verificationOf } from './contentOf.ts';
import { loadReferences } from './loadReferences.ts';
import { isAllowed } from './states.ts';

export async function putDealerVerification(
  input: PutDealerVerificationInput,
  context: RequestContext,
): Promise<DealerRecord> {
  const content = toContent(input);
  return inTransaction(async (session) => {
    const dealers = scoped(DealerModel, context.installationId);
    const before = await dealers.findOne({ _id: input.dealerId }, { session });
    if (!before) throw notFound('The dealer');
    assertMayChange(before);
    const problems = checkVerification(content, await loadReferences(context, before, content));
    if (problems.length > 0) throw invalidFields(problems);
    const verification = verificationOf(before);
    assertOpen(verification);
    if (verification.state === 'draft' && isDeepStrictEqual(contentOf(verification), content)) return before;
    await setMediaUsage(
      context,
      { type: 'verification', id: before._id },
      {
        before: filesOf(verification, before.approval),
        after: filesOf(content, before.approval),
      },
      session,
    );
    const after = await dealers.findOneAndUpdate(
      { _id: before._id },
      {
        $set: {
          verification: toDraft(verification, content),
          queuedAt: neverQueued,
          updatedAt: new Date(context.platform.now()),
        },
        $inc: { version: 1 },
      },
      { session },
    );
    if (!after) throw notFound('The dealer');
    return after;
  });
}

/** Checks that the verification can be changed: it is neither submitted nor finally rejected. */
function assertOpen(verification: StoredVerification): void {
  if (isAllowed(verification, 'putDealerVerification')) return;
  throw new AppError(
    'verification_locked',
    verification.final
      ? 'The verification was rejected permanently and cannot be changed.'
      : 'The verification was submitted. It can be changed after the decision.',
  );
}

/**
 * Returns a draft. It keeps the reasons of the last decision until it is submitted, because they state what to change.
 */
function toDraft(before: StoredVerification, content: VerificationContent): StoredVerification {
  const version = before.state === 'draft' ? before.version : before.version + 1;
  return { ...before, ...content, state: 'draft', version, submittedAt: null, submittedBy: null };
}

function toContent(input: PutDealerVerificationInput): VerificationContent {
  const { registrationNumber, vatId, representative, tradingSince, documents, selfCertification } = input;
  return {
    registrationNumber: registrationNumber?.trim() || null,
    vatId: vatId ? normalizeVatId(vatId) || null : null,
    representative: representative
      ? {
          givenName: representative.givenName.trim(),
          familyName: representative.familyName.trim(),
          birthDate: representative.birthDate,
        }
      : null,
    tradingSince: tradingSince ?? null,
    documents: (documents ?? []).map(({ kind, mediaId, expiresOn }) => ({
      kind,
      mediaId,
      expiresOn: expiresOn ?? null,
    })),
    selfCertification: selfCertification ?? false,
  };
}
