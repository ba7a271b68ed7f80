import { Schema } from 'mongoose';
import { defineModel } from '../../../platform/mongo/defineModel.ts';
import type { ExportState } from './states.ts';

export interface DataExportRecord {
  _id: string;
  installationId: string;
  userId: string;
  state: ExportState;
  progress: { done: number; total: number };
  /** Number of runs that started it. It limits the runs of an export that always crashes its process. */
  attempts: number;
  /** Fencing token of the run that processes it; a later run takes over with a higher one. */
  fence: number;
  byteSize: number | null;
  sha256: string | null;
  createdAt: Date;
  readyAt: Date | null;
  /** Until when the archive is kept. */
  expiresAt: Date | null;
  /** Until when the record of the export is kept. */
  removeAt: Date | null;
}

export const DataExportModel = defineModel<DataExportRecord>(
  'data_exports',
  new Schema<DataExportRecord>({
    _id: String,
    userId: { type: String, required: true },
    state: { type: String, required: true },
    progress: { done: { type: Number, required: true }, total: { type: Number, required: true } },
    attempts: { type: Number, required: true },
    fence: { type: Number, required: true },
    byteSize: { type: Number, default: null },
    sha256: { type: String, default: null },
    createdAt: { type: Date, required: true },
    readyAt: { type: Date, default: null },
    expiresAt: { type: Date, default: null },
    removeAt: { type: Date, default: null },
  })
    .index({ installationId: 1, userId: 1, createdAt: 1, _id: 1 })
    .index({ installationId: 1, state: 1, _id: 1 })
    .index({ removeAt: 1 }, { expireAfterSeconds: 0 }),
);
