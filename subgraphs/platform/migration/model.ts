import { Schema } from 'mongoose';
import { defineModel } from '../mongo/defineModel.ts';
import type { Migration } from './Migration.ts';

/** State of one migration in this database. */
export interface MigrationRecord {
  /** Id of the migration. */
  _id: string;
  phase: Migration['phase'];
  startedAt: Date;
  /** Null while it is running, or if it was interrupted. */
  appliedAt: Date | null;
  /** `_id` of the last document of each collection that is done; the key is the collection's name. */
  positions: Record<string, unknown>;
  /** Number of documents that are done. */
  documents: number;
}

/** Migrations of all releases that were applied to this database, or begun. */
export const MigrationModel = defineModel<MigrationRecord>(
  'migrations',
  new Schema<MigrationRecord>({
    _id: String,
    phase: { type: String, required: true },
    startedAt: { type: Date, required: true },
    appliedAt: { type: Date, default: null },
    positions: { type: Schema.Types.Mixed, required: true },
    documents: { type: Number, required: true },
  }),
);
