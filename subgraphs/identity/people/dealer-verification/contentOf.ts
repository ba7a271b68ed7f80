import type { DealerRecord } from '../dealer/model.ts';
import { notStarted, type StoredVerification, type VerificationContent } from '../dealer/verification.ts';

/**
 * Returns the verification of a dealer. Records that were stored before verifications existed have none; they count as
 * not started.
 */
export function verificationOf({ verification }: { verification?: StoredVerification }): StoredVerification {
  return verification ?? notStarted;
}

/** Returns the content of a version, without its outcome. */
export function contentOf(version: VerificationContent): VerificationContent {
  const { registrationNumber, vatId, representative, tradingSince, documents, selfCertification } = version;
  return { registrationNumber, vatId, representative, tradingSince, documents, selfCertification };
}

/** Parent of the resolvers of `DealerVerification`. */
export type DealerVerificationParent = ReturnType<typeof toVerification>;

/** Returns the view of a dealer's verification; the guard of its documents needs the id. */
export function toVerification(dealer: DealerRecord) {
  return { ...verificationOf(dealer), dealerId: dealer._id, approval: dealer.approval ?? null };
}

/** Returns the ids of documents in these versions. Those of a draft and of the valid version are both kept. */
export function filesOf(...parts: (Pick<VerificationContent, 'documents'> | null)[]): string[] {
  return parts.flatMap((part) => part?.documents.map(({ mediaId }) => mediaId) ?? []);
}
