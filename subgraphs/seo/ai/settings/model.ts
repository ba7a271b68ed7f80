import { Schema } from 'mongoose';
import type { ScopedRecord } from '../../../platform/installation/scoped.ts';
import { defineModel } from '../../../platform/mongo/defineModel.ts';
import type { ObjectType } from '../../pages/object/ObjectRef.ts';

/** Method to make a model return structured output. */
type StructuredOutput = 'auto' | 'json_schema' | 'json_object' | 'prompt';

/** Encrypted key of a provider, which can only be decrypted for its origin. */
export interface SealedKey {
  sealed: string;
  last4: string | null;
}

/** Settings that an administrator changes. */
export interface AiChoices {
  enabled: boolean;
  baseUrl: string | null;
  model: string | null;
  timeoutMs: number;
  maxOutputTokens: number;
  monthlyCostCapMicros: number;
  monthlyTokenCap: number;
  dailyRequestsPerUser: number;
  /** Micros a million tokens, as the other price. */
  inputPriceMicros: number;
  outputPriceMicros: number;
  requireUserAcknowledgement: boolean;
  allowedObjectTypes: ObjectType[];
  structuredOutput: StructuredOutput;
}

/** AI settings of one installation; its id is theirs. */
export interface StoredAiSettings extends ScopedRecord, AiChoices {
  apiKey: SealedKey | null;
  /** 0 until the first change. */
  revision: number;
  updatedAt: Date | null;
  updatedBy: string | null;
}

/** Settings before the first decision: no model is called. */
export const defaultChoices: AiChoices = {
  enabled: false,
  baseUrl: null,
  model: null,
  timeoutMs: 8000,
  maxOutputTokens: 600,
  monthlyCostCapMicros: 10_000_000,
  monthlyTokenCap: 1_000_000,
  dailyRequestsPerUser: 50,
  inputPriceMicros: 0,
  outputPriceMicros: 0,
  requireUserAcknowledgement: false,
  allowedObjectTypes: ['listing', 'dealer', 'page'],
  structuredOutput: 'auto',
};

const sealedKey = new Schema<SealedKey>(
  { sealed: { type: String, required: true }, last4: { type: String, default: null } },
  { _id: false, id: false },
);

export const AiSettingsModel = defineModel<StoredAiSettings>(
  'seo_ai_settings',
  new Schema<StoredAiSettings>({
    _id: String,
    enabled: { type: Boolean, required: true },
    baseUrl: { type: String, default: null },
    model: { type: String, default: null },
    apiKey: { type: sealedKey, default: null },
    timeoutMs: { type: Number, required: true },
    maxOutputTokens: { type: Number, required: true },
    monthlyCostCapMicros: { type: Number, required: true },
    monthlyTokenCap: { type: Number, required: true },
    dailyRequestsPerUser: { type: Number, required: true },
    inputPriceMicros: { type: Number, required: true },
    outputPriceMicros: { type: Number, required: true },
    requireUserAcknowledgement: { type: Boolean, required: true },
    allowedObjectTypes: { type: [String], required: true },
    structuredOutput: { type: String, required: true },
    revision: { type: Number, required: true },
    updatedAt: { type: Date, default: null },
    updatedBy: { type: String, default: null },
  }),
);
