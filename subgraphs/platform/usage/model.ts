import { hash } from 'node:crypto';
import { Schema } from 'mongoose';
import { defineModel } from '../mongo/defineModel.ts';

/** Executions of one operation by one client in one hour. */
export interface UsageCountRecord {
  /** Hash of installation, hour, client and operation. */
  _id: string;
  installationId: string;
  /** Start of the hour. */
  hour: Date;
  /** As in `Usage`. */
  client: string;
  /** Key of the operation in `usage_operations`. */
  operation: string;
  count: number;
  firstUsedAt: Date;
  lastUsedAt: Date;
  expiresAt: Date;
}

export const UsageCountModel = defineModel<UsageCountRecord>(
  'usage_counts',
  new Schema<UsageCountRecord>({
    _id: String,
    hour: { type: Date, required: true },
    client: { type: String, required: true },
    operation: { type: String, required: true },
    count: { type: Number, required: true },
    firstUsedAt: { type: Date, required: true },
    lastUsedAt: { type: Date, required: true },
    expiresAt: { type: Date, required: true },
  })
    .index({ installationId: 1, operation: 1, hour: 1 })
    .index({ installationId: 1, hour: 1 })
    .index({ expiresAt: 1 }, { expireAfterSeconds: 0 }),
);

/** Parts of the schema that an operation or route uses; stored once instead of with every count. */
export interface UsageOperationRecord {
  /** Hash of installation and operation. */
  _id: string;
  installationId: string;
  /** Hash of the document without literals; method and path of a REST route; or `(other)`. */
  operation: string;
  /** Name of the GraphQL operation; null for REST routes and operations without a name. */
  name: string | null;
  /** Schema coordinates, and `Type.*` for an enum or input object that is used as a whole. */
  coordinates: string[];
  expiresAt: Date;
}

export const UsageOperationModel = defineModel<UsageOperationRecord>(
  'usage_operations',
  new Schema<UsageOperationRecord>({
    _id: String,
    operation: { type: String, required: true },
    name: { type: String, default: null },
    coordinates: [String],
    expiresAt: { type: Date, required: true },
  })
    .index({ installationId: 1, coordinates: 1 })
    .index({ expiresAt: 1 }, { expireAfterSeconds: 0 }),
);

/** Returns the id of a count. */
export function usageCountId(
  installationId: string,
  hourMs: number,
  client: string,
  operation: string,
): string {
  return hashOf([installationId, hourMs, client, operation]);
}

/** Returns the id of an operation in `usage_operations`. */
export function usageOperationId(installationId: string, operation: string): string {
  return hashOf([installationId, operation]);
}

function hashOf(parts: readonly (string | number)[]): string {
  return hash('sha256', JSON.stringify(parts), 'base64url');
}
