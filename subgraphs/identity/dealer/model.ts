import { Schema } from 'mongoose';
import { defineModel } from '../../platform/mongo/defineModel.ts';

/** A position on the earth, WGS 84 degrees. */
export interface StoredGeo {
  lat: number;
  lng: number;
}

interface StoredAddress {
  line1: string;
  line2: string | null;
  postalCode: string;
  city: string;
  region: string | null;
  country: string;
}

export interface StoredLocation {
  id: string;
  name: string;
  address: StoredAddress;
  geo: StoredGeo | null;
  phone: string | null;
  default: boolean;
}

/** Role of a member as it is stored. */
type StoredDealerRole = 'owner' | 'manager' | 'agent';

export interface StoredMember {
  userId: string;
  role: StoredDealerRole;
  /** Empty: all locations. */
  locationIds: string[];
  joinedAt: Date;
}

export interface DealerRecord {
  _id: string;
  installationId: string;
  legalName: string;
  tradeName: string;
  slug: string;
  description: string | null;
  website: string | null;
  contactEmail: string;
  contactPhone: string | null;
  country: string;
  currency: string;
  address: StoredAddress | null;
  locations: StoredLocation[];
  state: 'onboarding' | 'active' | 'suspended' | 'closing' | 'closed';
  stateReason: string | null;
  members: StoredMember[];
  limits: { maxActiveListings: number; maxMembers: number };
  version: number;
  createdAt: Date;
  updatedAt: Date;
}

/** Limits of a dealer that has none of its own. */
export const defaultLimits: DealerRecord['limits'] = { maxActiveListings: 5000, maxMembers: 200 };

const embedded = { _id: false, id: false } as const;
const address = new Schema<StoredAddress>(
  { line1: String, line2: String, postalCode: String, city: String, region: String, country: String },
  embedded,
);

export const DealerModel = defineModel<DealerRecord>(
  'dealers',
  new Schema<DealerRecord>({
    _id: String,
    legalName: { type: String, required: true },
    tradeName: { type: String, required: true },
    slug: { type: String, required: true },
    description: { type: String, default: null },
    website: { type: String, default: null },
    contactEmail: { type: String, required: true },
    contactPhone: { type: String, default: null },
    country: { type: String, required: true },
    currency: { type: String, required: true },
    address: { type: address, default: null },
    locations: [
      new Schema<StoredLocation>(
        {
          id: String,
          name: String,
          address,
          geo: { type: new Schema<StoredGeo>({ lat: Number, lng: Number }, embedded), default: null },
          phone: { type: String, default: null },
          default: { type: Boolean, required: true },
        },
        embedded,
      ),
    ],
    state: { type: String, required: true },
    stateReason: { type: String, default: null },
    members: [
      new Schema<StoredMember>(
        { userId: String, role: String, locationIds: [String], joinedAt: Date },
        embedded,
      ),
    ],
    limits: { maxActiveListings: Number, maxMembers: Number },
    version: { type: Number, required: true },
    createdAt: { type: Date, required: true },
    updatedAt: { type: Date, required: true },
  })
    .index({ installationId: 1, 'members.userId': 1, _id: 1 })
    .index({ installationId: 1, slug: 1 }, { unique: true })
    .index({ installationId: 1, state: 1, _id: 1 }),
);
