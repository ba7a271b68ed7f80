import type { DealerRecord } from '../dealer/model.ts';
import { notStarted, type StoredVerification, type VerificationContent } from '../dealer/verification.ts';

/** The verification of a dealer; one that was stored before there was any has not begun it. */
export function verificationOf({ verification }: { verification?: StoredVerification }): StoredVerification {
  return verification ?? notStarted;
}

/** Content of a version, without its outcome. */
export function contentOf(version: VerificationContent): VerificationContent {
  const { registrationNumber, vatId, representative, tradingSince, documents, selfCertification } = version;
  return { registrationNumber, vatId, representative, tradingSince, documents, selfCertification };
}

/** Parent of the resolvers of `DealerVerification`. */
export type DealerVerificationParent = ReturnType<typeof toVerification>;

/** The view of a dealer's verification; the id is there for the guard of its documents. */
export function toVerification(dealer: DealerRecord) {
  return { ...verificationOf(dealer), dealerId: dealer._id, approval: dealer.approval ?? null };
}

/** Papers of versions of a verification: of a draft and of what is in force both are kept. */
export function filesOf(...parts: (Pick<VerificationContent, 'documents'> | null)[]): string[] {
  return parts.flatMap((part) => part?.documents.map(({ mediaId }) => mediaId) ?? []);
}
