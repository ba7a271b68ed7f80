import { Schema } from 'mongoose';
import { outbox, type RecordWithOutbox } from '../../../platform/events/outbox.ts';
import { defineModel } from '../../../platform/mongo/defineModel.ts';
import { moneySchema, type StoredMoney } from '../../kernel/money/model.ts';
import type { DealerState } from './states.ts';
import {
  approvalSchema,
  type StoredApproval,
  type StoredVerification,
  verificationSchema,
} from './verification.ts';

/** A position on the earth, WGS 84 degrees. */
export interface StoredGeo {
  lat: number;
  lng: number;
}

export interface StoredAddress {
  line1: string;
  line2: string | null;
  postalCode: string;
  city: string;
  region: string | null;
  country: string;
}

/** Days of the week, Monday first. */
export const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;

/** `HH:mm` in the local time of the location. */
export interface StoredOpeningHours {
  day: (typeof weekdays)[number];
  opens: string;
  closes: string;
}

export interface StoredLocation {
  id: string;
  name: string;
  address: StoredAddress;
  geo: StoredGeo | null;
  phone: string | null;
  openingHours: StoredOpeningHours[];
  default: boolean;
}

/** Role of a member as it is stored. */
type StoredDealerRole = 'owner' | 'manager' | 'agent';

export interface StoredMember {
  userId: string;
  role: StoredDealerRole;
  /** Ids of the locations; empty for all. */
  locationIds: string[];
  joinedAt: Date;
}

/** Schedule of payouts. */
export interface StoredPayoutSchedule {
  interval: 'manual' | 'daily' | 'weekly' | 'monthly';
  /** Weekly: 1 (Monday) to 7; monthly: day 1 to 28; otherwise null. */
  anchor: number | null;
}

export interface StoredPayout {
  /** State of the account at the payment provider. */
  accountState: 'none' | 'pending' | 'active' | 'restricted' | 'rejected';
  requirementsDue: string[];
  schedule: StoredPayoutSchedule;
  minimumAmount: StoredMoney;
}

/** Commission of a sale. */
export interface StoredCommission {
  rateBps: number;
  fixed: StoredMoney | null;
  taxRateBps: number;
}

export interface DealerRecord extends RecordWithOutbox {
  _id: string;
  installationId: string;
  legalName: string;
  tradeName: string;
  slug: string;
  /**
   * The current slug, followed by former slugs in descending order. Former URLs lead here, and no other dealer can take
   * them.
   */
  slugs: string[];
  description: string | null;
  website: string | null;
  /** `med_…` of an image of the dealer. */
  logoMediaId: string | null;
  bannerMediaId: string | null;
  contactEmail: string;
  contactPhone: string | null;
  country: string;
  currency: string;
  address: StoredAddress | null;
  locations: StoredLocation[];
  state: DealerState;
  stateReason: string | null;
  members: StoredMember[];
  verification: StoredVerification;
  /** The verification that is in force. */
  approval: StoredApproval | null;
  /** Time when the latest version was submitted; the year 9999 before the first one, which sorts those dealers last. */
  queuedAt: Date;
  payout: StoredPayout;
  commission: StoredCommission;
  limits: { maxActiveListings: number; maxMembers: number };
  version: number;
  createdAt: Date;
  updatedAt: Date;
}

/** Default limits of a dealer. */
export const defaultLimits: DealerRecord['limits'] = { maxActiveListings: 5000, maxMembers: 200 };

/** Queue position of a dealer without a submission. */
export const neverQueued = new Date('9999-12-31T00:00:00.000Z');

const embedded = { _id: false, id: false } as const;
const text = { type: String, required: true } as const;
const nullable = { type: String, default: null } as const;

const address = new Schema<StoredAddress>(
  { line1: String, line2: String, postalCode: String, city: String, region: String, country: String },
  embedded,
);
const geo = new Schema<StoredGeo>({ lat: Number, lng: Number }, embedded);
const location = new Schema<StoredLocation>(
  {
    id: String,
    name: String,
    address,
    geo: { type: geo, default: null },
    phone: nullable,
    openingHours: [new Schema<StoredOpeningHours>({ day: String, opens: String, closes: String }, embedded)],
    default: { type: Boolean, required: true },
  },
  embedded,
);
const member = new Schema<StoredMember>(
  { userId: String, role: String, locationIds: [String], joinedAt: Date },
  embedded,
);

export const DealerModel = defineModel<DealerRecord>(
  'dealers',
  new Schema<DealerRecord>({
    _id: String,
    legalName: text,
    tradeName: text,
    slug: text,
    slugs: { type: [String], required: true },
    description: nullable,
    website: nullable,
    logoMediaId: nullable,
    bannerMediaId: nullable,
    contactEmail: text,
    contactPhone: nullable,
    country: text,
    currency: text,
    address: { type: address, default: null },
    locations: [location],
    state: text,
    stateReason: nullable,
    members: [member],
    verification: { type: verificationSchema, required: true },
    approval: { type: approvalSchema, default: null },
    queuedAt: { type: Date, required: true },
    payout: {
      accountState: text,
      requirementsDue: [String],
      schedule: { interval: text, anchor: { type: Number, default: null } },
      minimumAmount: { type: moneySchema(), required: true },
    },
    commission: {
      rateBps: { type: Number, required: true },
      fixed: { type: moneySchema(), default: null },
      taxRateBps: { type: Number, required: true },
    },
    limits: { maxActiveListings: Number, maxMembers: Number },
    version: { type: Number, required: true },
    createdAt: { type: Date, required: true },
    updatedAt: { type: Date, required: true },
  })
    .index({ installationId: 1, 'members.userId': 1, _id: 1 })
    .index({ installationId: 1, slugs: 1 }, { unique: true })
    .index({ installationId: 1, queuedAt: 1, _id: 1 })
    .index({ installationId: 1, state: 1, queuedAt: 1, _id: 1 })
    .index({ installationId: 1, 'verification.state': 1, queuedAt: 1, _id: 1 })
    .index({ installationId: 1, country: 1, queuedAt: 1, _id: 1 })
    .index({ installationId: 1, 'approval.expiresAt': 1, _id: 1 })
    .index({ installationId: 1, 'payout.schedule.interval': 1, _id: 1 })
    .plugin(outbox),
);
