import { Schema } from 'mongoose';
import { defineModel } from '../../../platform/mongo/defineModel.ts';
import type { PerSide, Side } from '../conversation/model.ts';

/** `retracted` by its author, or `removed` by a moderator. Both leave a stub without text. */
export type MessageState = 'sent' | 'retracted' | 'removed';

export interface MessageRecord {
  _id: string;
  installationId: string;
  conversationId: string;
  /** Number in the conversation, from 1 without gaps. */
  seq: number;
  /** `usr_…`, or `cli_…` for an API client of the dealer. */
  authorId: string;
  side: Side;
  kind: 'text' | 'system';
  text: string | null;
  /** Files of the author, in the given order. */
  mediaIds: string[];
  /** Id that the client assigned. A repeated id is the same message. */
  clientMessageId?: string;
  state: MessageState;
  /** Number of messages of each side up to this one, from which the unread count of a read marker is computed. */
  sent: PerSide;
  createdAt: Date;
  /** When it was retracted or removed. */
  endedAt: Date | null;
}

const number = { type: Number, required: true } as const;
const text = { type: String, required: true } as const;

export const MessageModel = defineModel<MessageRecord>(
  'messages',
  new Schema<MessageRecord>({
    _id: String,
    conversationId: text,
    seq: number,
    authorId: text,
    side: text,
    kind: text,
    text: { type: String, default: null },
    mediaIds: [String],
    clientMessageId: String,
    state: text,
    sent: {
      type: new Schema<PerSide>({ buyer: number, seller: number }, { _id: false, id: false }),
      required: true,
    },
    createdAt: { type: Date, required: true },
    endedAt: { type: Date, default: null },
  })
    .index({ installationId: 1, conversationId: 1, seq: 1 }, { unique: true })
    .index(
      { installationId: 1, conversationId: 1, authorId: 1, clientMessageId: 1 },
      { unique: true, partialFilterExpression: { clientMessageId: { $type: 'string' } } },
    )
    .index({ installationId: 1, authorId: 1, createdAt: 1, _id: 1 }),
);
