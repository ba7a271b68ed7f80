import { Schema } from 'mongoose';
import { outbox, type RecordWithOutbox } from '../../../platform/events/outbox.ts';
import { defineModel } from '../../../platform/mongo/defineModel.ts';
import { moneySchema, type StoredMoney } from '../../kernel/money/model.ts';
import type { ConversationState } from './states.ts';

/** The two sides: the buyer, and the seller (a private seller, or all members of a dealer). */
export type Side = 'buyer' | 'seller';

/** A number for each side. */
export type PerSide = Record<Side, number>;

/** How far a side has read: the last message, and the number of the other side's messages up to it. */
export interface ReadMarker {
  seq: number;
  count: number;
}

/** A person, or an API client of the dealer, that has done something in a conversation. */
export interface StoredParticipant {
  userId: string;
  side: Side;
  lastReadSeq: number;
}

/** Subject of a conversation when it started. */
export interface StoredSubject {
  title: string;
  price: StoredMoney | null;
  coverMediaId: string | null;
}

export interface ConversationRecord extends RecordWithOutbox {
  _id: string;
  installationId: string;
  /** Listing, or the dealer of a general conversation. Unique together with the buyer. */
  topicId: string;
  listingId: string | null;
  /** Null in a general conversation with a dealer, and after the private seller is erased. */
  subject: StoredSubject | null;
  dealerId: string | null;
  buyerUserId: string;
  sellerUserId: string | null;
  /** Dealer or private seller, who has the conversation in the inbox. */
  sellerId: string;
  /** Member of the dealer who is assigned to the conversation; null if unassigned. */
  assigneeUserId: string | null;
  state: ConversationState;
  /** Users who have blocked a member of the other side; if not empty, the state is `blocked`. */
  blockedBy: string[];
  participants: StoredParticipant[];
  /** Ids of users and dealers who archived the conversation, until the other side writes. */
  archivedBy: string[];
  /** Ids of users who muted its mails. */
  mutedBy: string[];
  /** Number of the last message, counted from 1. */
  lastSeq: number;
  /** Number of messages that each side has written. */
  sent: PerSide;
  read: Record<Side, ReadMarker>;
  /** Number of messages of the other side that each side has not read. Derived by `saveConversation`. */
  unread: PerSide;
  /** `buyerUserId` and `sellerId`, if they have unread messages. Derived by `saveConversation`. */
  unreadFor: string[];
  lastMessageAt: Date;
  /** At most 140 characters; null if the last message has no text or was removed. */
  lastMessagePreview: string | null;
  version: number;
  createdAt: Date;
  updatedAt: Date;
}

export type { ConversationState };

const embedded = { _id: false, id: false } as const;
const nullable = { type: String, default: null } as const;
const text = { type: String, required: true } as const;
const number = { type: Number, required: true } as const;
const perSide = () => new Schema<PerSide>({ buyer: number, seller: number }, embedded);
const marker = () => new Schema<ReadMarker>({ seq: number, count: number }, embedded);

export const ConversationModel = defineModel<ConversationRecord>(
  'conversations',
  new Schema<ConversationRecord>({
    _id: String,
    topicId: text,
    listingId: nullable,
    subject: {
      type: new Schema<StoredSubject>(
        { title: text, price: { type: moneySchema(), default: null }, coverMediaId: nullable },
        embedded,
      ),
      default: null,
    },
    dealerId: nullable,
    buyerUserId: text,
    sellerUserId: nullable,
    sellerId: text,
    assigneeUserId: nullable,
    state: text,
    blockedBy: [String],
    participants: [
      new Schema<StoredParticipant>({ userId: text, side: text, lastReadSeq: number }, embedded),
    ],
    archivedBy: [String],
    mutedBy: [String],
    lastSeq: number,
    sent: { type: perSide(), required: true },
    read: { type: new Schema({ buyer: marker(), seller: marker() }, embedded), required: true },
    unread: { type: perSide(), required: true },
    unreadFor: [String],
    lastMessageAt: { type: Date, required: true },
    lastMessagePreview: nullable,
    version: number,
    createdAt: { type: Date, required: true },
    updatedAt: { type: Date, required: true },
  })
    .index({ installationId: 1, topicId: 1, buyerUserId: 1 }, { unique: true })
    .index({ installationId: 1, buyerUserId: 1, lastMessageAt: -1, _id: -1 })
    .index({ installationId: 1, sellerId: 1, lastMessageAt: -1, _id: -1 })
    .index({ installationId: 1, unreadFor: 1, lastMessageAt: -1, _id: -1 })
    .index({ installationId: 1, sellerId: 1, assigneeUserId: 1, lastMessageAt: -1, _id: -1 })
    .index({ installationId: 1, state: 1, lastMessageAt: 1, _id: 1 })
    .index({ installationId: 1, blockedBy: 1 })
    .plugin(outbox),
);
