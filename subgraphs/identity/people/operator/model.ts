import { Schema } from 'mongoose';
import { defineModel } from '../../../platform/mongo/defineModel.ts';

/** An operator of the platform, who belongs to no installation and signs in to any of them. */
export interface OperatorRecord {
  /** `opr_…` */
  _id: string;
  /** Name for signing in: not an e-mail address, so that it is never the name of an account. */
  name: string;
  /** Password hash in PHC format. */
  passwordHash: string;
  /** Sealed TOTP secret: an operator without a second factor does not exist. */
  sealedSecret: string;
  /** Last accepted TOTP step; earlier steps are no longer accepted. */
  lastUsedStep: number;
  /** A removed operator stays, because audit events name it. */
  state: 'active' | 'removed';
  createdAt: Date;
  removedAt: Date | null;
}

/** Global, because operators do not belong to an installation. */
export const OperatorModel = defineModel<OperatorRecord>(
  'operators',
  new Schema<OperatorRecord>({
    _id: String,
    name: { type: String, required: true },
    passwordHash: { type: String, required: true },
    sealedSecret: { type: String, required: true },
    lastUsedStep: { type: Number, required: true },
    state: { type: String, required: true },
    createdAt: { type: Date, required: true },
    removedAt: { type: Date, default: null },
  }).index({ name: 1 }, { unique: true }),
);
