import { Schema } from 'mongoose';

/** States of a verification; see the transitions. */
export const verificationStates = [
  'not_started',
  'draft',
  'submitted',
  'approved',
  'rejected',
  'expired',
] as const;

/** State of a verification as it is stored. */
export type VerificationState = (typeof verificationStates)[number];

/** Kind of proof of a document. */
export const documentKinds = ['register_extract', 'id', 'address_proof', 'bank_proof', 'other'] as const;

/** Reasons for rejecting a verification. */
export const rejectionReasons = [
  'document_missing',
  'document_unreadable',
  'document_expired',
  'identity_mismatch',
  'registration_not_found',
  'vat_id_invalid',
  'address_not_proven',
  'business_not_allowed',
  'fraud_suspected',
  'other',
] as const;

export interface StoredDocument {
  kind: (typeof documentKinds)[number];
  /** `med_…`, of the dealer and for verifications. */
  mediaId: string;
  /** Last day on which the document is valid, as `YYYY-MM-DD`; null if it does not expire. */
  expiresOn: string | null;
}

/** Verification of a dealer. */
export interface VerificationContent {
  registrationNumber: string | null;
  /** VAT number with the prefix of its country, without spaces and dots. */
  vatId: string | null;
  /** `birthDate` is `YYYY-MM-DD`. */
  representative: { givenName: string; familyName: string; birthDate: string } | null;
  /** Day as `YYYY-MM-DD`. */
  tradingSince: string | null;
  documents: StoredDocument[];
  /** That only goods are offered which the law of the Union allows (DSA, art. 30). */
  selfCertification: boolean;
}

/** The version that is a draft, in review, or was decided last. */
export interface StoredVerification extends VerificationContent {
  state: VerificationState;
  /** 0 before the first draft; grows with every draft that follows a decision. */
  version: number;
  submittedAt: Date | null;
  submittedBy: string | null;
  decidedAt: Date | null;
  decidedBy: string | null;
  reasonCodes: (typeof rejectionReasons)[number][];
  note: string | null;
  /** Whether the rejection is final, so that no further version can follow. */
  final: boolean;
}

/** The valid version, regardless of the outcome of a later one. */
export interface StoredApproval extends VerificationContent {
  version: number;
  approvedAt: Date;
  approvedBy: string;
  expiresAt: Date;
}

const embedded = { _id: false, id: false } as const;
const nullable = { type: String, default: null } as const;
const date = { type: Date, default: null } as const;

const content = {
  registrationNumber: nullable,
  vatId: nullable,
  representative: {
    type: new Schema({ givenName: String, familyName: String, birthDate: String }, embedded),
    default: null,
  },
  tradingSince: nullable,
  documents: [new Schema<StoredDocument>({ kind: String, mediaId: String, expiresOn: nullable }, embedded)],
  selfCertification: { type: Boolean, required: true },
} as const;

/** Embedded in the dealer, so that a decision on it and the state of the dealer change together. */
export const verificationSchema = new Schema<StoredVerification>(
  {
    ...content,
    state: { type: String, required: true },
    version: { type: Number, required: true },
    submittedAt: date,
    submittedBy: nullable,
    decidedAt: date,
    decidedBy: nullable,
    reasonCodes: [String],
    note: nullable,
    final: { type: Boolean, required: true },
  },
  embedded,
);

export const approvalSchema = new Schema<StoredApproval>(
  {
    ...content,
    version: { type: Number, required: true },
    approvedAt: { type: Date, required: true },
    approvedBy: { type: String, required: true },
    expiresAt: { type: Date, required: true },
  },
  embedded,
);

/** Content of an empty draft. */
export const emptyContent: VerificationContent = {
  registrationNumber: null,
  vatId: null,
  representative: null,
  tradingSince: null,
  documents: [],
  selfCertification: false,
};

/** The verification of a dealer that has not started one. */
export const notStarted: StoredVerification = {
  ...emptyContent,
  state: 'not_started',
  version: 0,
  submittedAt: null,
  submittedBy: null,
  decidedAt: null,
  decidedBy: null,
  reasonCodes: [],
  note: null,
  final: false,
};
