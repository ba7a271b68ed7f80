import { Schema } from 'mongoose';
import type { ClientScope } from '../../../../schema/permissions.ts';
import { defineModel } from '../../../platform/mongo/defineModel.ts';

/** Maximum number of API clients of a dealer; an expired one counts until it is deleted. */
export const clientsPerDealer = 10;

/** A machine credential of one dealer. It never changes: rotation is a new one, and the deletion of the old one. */
export interface ApiClientRecord {
  _id: string;
  installationId: string;
  dealerId: string;
  /** 0 to 9, unique in the dealer, so that concurrent requests cannot create an eleventh client. */
  slot: number;
  name: string;
  scopes: ClientScope[];
  /** SHA-256 of the secret, which is 256 random bits: `hashOpaqueToken`. */
  secretHash: string;
  secretLast4: string;
  /** Networks that it may call from; empty for every network. */
  allowedCidrs: string[];
  expiresAt: Date | null;
  /** Session of all tokens of the client. Replacing it ends all of them. */
  sessionId: string;
  /** Time of the latest token, to the minute; null before the first one. */
  lastUsedAt: Date | null;
  /** `usr_…`, who may have left the dealer since. */
  createdBy: string;
  createdAt: Date;
}

export const ApiClientModel = defineModel<ApiClientRecord>(
  'api_clients',
  new Schema<ApiClientRecord>({
    _id: String,
    dealerId: { type: String, required: true },
    slot: { type: Number, required: true, min: 0, max: clientsPerDealer - 1 },
    name: { type: String, required: true },
    scopes: { type: [String], required: true },
    secretHash: { type: String, required: true },
    secretLast4: { type: String, required: true },
    allowedCidrs: { type: [String], required: true },
    expiresAt: { type: Date, default: null },
    sessionId: { type: String, required: true },
    lastUsedAt: { type: Date, default: null },
    createdBy: { type: String, required: true },
    createdAt: { type: Date, required: true },
  })
    .index({ installationId: 1, dealerId: 1, slot: 1 }, { unique: true })
    .index({ installationId: 1, dealerId: 1, createdAt: -1, _id: -1 }),
);
