import type { FieldProblem } from '../../../../schema/Problem.ts';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { AppError } from '../../../platform/errors/AppError.ts';
import type { SubmitDealerVerificationInput } from '../../identity.generated.ts';
import { assertMayChange } from '../../kernel/dealer-standing/assertMayChange.ts';
import type { DealerRecord } from '../dealer/model.ts';
import { decideDealer } from '../dealer/standing/decideDealer.ts';
import type { StoredVerification } from '../dealer/verification.ts';
import { checkVerification } from './checkVerification.ts';
import { contentOf, verificationOf } from './contentOf.ts';
import { loadReferences } from './loadReferences.ts';
import { assertTransition } from './states.ts';

export async function submitDealerVerification(
  input: SubmitDealerVerificationInput,
  context: RequestContext,
): Promise<{ dealer: DealerRecord }> {
  const submittedAt = new Date(context.platform.now());
  return {
    dealer: await decideDealer(context, {
      action: 'submitDealerVerification',
      dealerId: input.dealerId,
      authorize: assertMayChange,
      assertMeaning: (dealer) => assertComplete(dealer, context),
      change: (before) => {
        const verification = verificationOf(before);
        assertTransition(verification, 'submitDealerVerification', 'submitted');
        return {
          verification: toSubmitted(verification, context.viewer.id, submittedAt),
          queuedAt: submittedAt,
        };
      },
    }),
  };
}

/**
 * Returns the submitted version. An unchanged rejected version becomes a new version, so that every decision has its
 * own version.
 */
function toSubmitted(before: StoredVerification, submittedBy: string, submittedAt: Date): StoredVerification {
  const version = before.state === 'rejected' ? before.version + 1 : before.version;
  const undecided = { decidedAt: null, decidedBy: null, reasonCodes: [], note: null } as const;
  return { ...before, ...undecided, reasonCodes: [], state: 'submitted', version, submittedAt, submittedBy };
}

/**
 * Checks that the verification is complete.
 *
 * @throws AppError `verification_incomplete` with every gap, as members of the dealer
 */
async function assertComplete(dealer: DealerRecord, context: RequestContext): Promise<void> {
  const content = contentOf(verificationOf(dealer));
  // A file may have been blocked, or a document may have expired, since the draft was validated.
  const wrong = checkVerification(content, await loadReferences(context, dealer, content));
  const errors = [
    ...findGaps(dealer),
    ...wrong.map((one) => ({ ...one, pointer: one.pointer.replace('#/', '#/verification/') })),
  ];
  if (errors.length === 0) return;
  throw new AppError(
    'verification_incomplete',
    'The verification cannot be submitted yet, because required members are missing.',
    {
      errors,
    },
  );
}

/** Returns the information that the law requires of a trader (DSA, article 30) and that is missing. */
function findGaps(dealer: DealerRecord): FieldProblem[] {
  const { registrationNumber, vatId, representative, documents, selfCertification } = verificationOf(dealer);
  const lacksDocument = (kind: string) => !documents.some((document) => document.kind === kind);
  const missing: [string, boolean, string][] = [
    ['address', dealer.address === null, 'A registered address is required.'],
    ['contactPhone', dealer.contactPhone === null, 'A phone number is required.'],
    [
      'verification/registrationNumber',
      registrationNumber === null && vatId === null,
      'Send the registration number or the VAT number.',
    ],
    ['verification/representative', representative === null, 'A representative of the business is required.'],
    [
      'verification/documents',
      lacksDocument('id'),
      'A document that proves the identity of the representative is required.',
    ],
    [
      'verification/documents',
      lacksDocument('register_extract'),
      'An extract of the commercial register is required.',
    ],
    ['verification/selfCertification', !selfCertification, 'The certification is required.'],
  ];
  return missing
    .filter(([, isMissing]) => isMissing)
    .map(([member, , detail]) => ({ pointer: `#/${member}`, code: 'required', detail }));
}
