import { Schema } from 'mongoose';
import { defineModel } from '../../platform/mongo/defineModel.ts';
import type { MailTemplate } from './MailTemplate.ts';

/** A mail in the outbox. It is removed some days after it was sent or failed permanently. */
export interface MailRecord {
  _id: string;
  installationId: string;
  to: string;
  locale: string;
  template: MailTemplate;
  /** Encrypted JSON of the data of the text; deleted after the mail is sent. */
  sealedData: string | null;
  state: 'queued' | 'sent' | 'failed';
  attempts: number;
  /**
   * Earliest time of the next attempt. A process that claims the mail moves it forward, so no other process claims it.
   */
  dueAt: Date;
  /** Time after which the mail is useless, for example because its link has expired; null if there is none. */
  usefulUntil: Date | null;
  lastError: string | null;
  createdAt: Date;
  doneAt: Date | null;
}

export const MailModel = defineModel<MailRecord>(
  'mails',
  new Schema<MailRecord>({
    _id: String,
    to: { type: String, required: true },
    locale: { type: String, required: true },
    template: { type: String, required: true },
    sealedData: { type: String, default: null },
    state: { type: String, required: true },
    attempts: { type: Number, required: true },
    dueAt: { type: Date, required: true },
    usefulUntil: { type: Date, default: null },
    lastError: { type: String, default: null },
    createdAt: { type: Date, required: true },
    doneAt: { type: Date, default: null },
  })
    .index({ installationId: 1, state: 1, dueAt: 1 })
    .index({ installationId: 1, to: 1, createdAt: 1 })
    .index({ doneAt: 1 }, { expireAfterSeconds: 7 * 24 * 3600 }),
);
