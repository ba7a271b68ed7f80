/** Kinds of marketplace objects that tell of their changes. */
export type EventObjectType = 'listing' | 'dealer' | 'media' | 'page';

/** Content of an object for other subgraphs, which need not query the owner. */
export interface ObjectContent {
  /** `usr_…` or `dlr_…`; null if it has no owner. */
  ownerId: string | null;
  /** BCP 47 tag; null if the object has no texts. */
  languageTag: string | null;
  /** Whether readers reach it at this version. */
  visibility: 'PUBLIC' | 'PRIVATE';
  /** Absolute URL; null before it has one. */
  url: string | null;
  slug: string | null;
  title: string;
  /** Sanitized HTML, at most 512 KB. Of a public object the published content, never content in review. */
  html: string;
  /** Digest of the translatable texts together; see `platform/content/digestOf.ts`. */
  contentDigest: string;
  /** Digest of each translatable text, by name. */
  fieldDigests: Readonly<Record<string, string>>;
}

interface EventFrame<Type extends string, ObjectType extends string, Payload> {
  /** The same for every delivery. */
  readonly id: string;
  readonly at: Date;
  readonly type: Type;
  readonly installationId: string;
  readonly object: { readonly type: ObjectType; readonly id: string };
  /** Grows with every change of the object; an event with a lower one than the known version is outdated. */
  readonly contentVersion: number;
  readonly payload: Payload;
}

/** An object of the marketplace was created, changed, or became visible or invisible to readers. */
export type ObjectChanged = EventFrame<
  'object.created' | 'object.updated' | 'object.published' | 'object.unpublished' | 'object.owner_changed',
  EventObjectType,
  /** Null if its texts are private to its owner, as for documents. */
  ObjectContent | null
>;

/** An object was deleted, and only its id may be kept. */
export type ObjectDeleted = EventFrame<'object.deleted', EventObjectType, null>;

/** The state of an account changed; `deleted` means that the user is erased. */
export type UserStateChanged = EventFrame<'user.state_changed', 'user', { from: string; to: string }>;

/**
 * A message, a read marker or a decision in a conversation; the event contains no text. Each of several events states
 * the state directly after its change. `started`, `closed`, `opened` and `assigned` concern the conversation; `updated`
 * concerns what only one side, or one user, sees.
 */
export type ConversationChanged = EventFrame<
  | 'conversation.started'
  | 'conversation.updated'
  | 'conversation.assigned'
  | 'conversation.closed'
  | 'conversation.opened'
  | 'conversation.read'
  | 'message.created'
  | 'message.retracted'
  | 'message.removed',
  'conversation',
  Readonly<Record<string, unknown>> | null
>;

/** Members of a group of translations changed. */
type RelationChanged = EventFrame<'relation.changed', 'relation', { objectKeys: readonly string[] }>;

/** A text in one language, as readers get it. */
export interface TranslationContent {
  /** Type of the objects below. */
  objectType: EventObjectType;
  /** Object that the text was written for, `lst_…`; while that is not public the text is not readable. */
  subjectId: string;
  /** Objects of the group that show the text to readers of its language. */
  objectIds: readonly string[];
  /**
   * Reference of the group's member: `listing:trn_…` for texts that were written here, `listing:lst_…` for a linked
   * object.
   */
  objectKey: string;
  groupId: string | null;
  /** Code of the language, which `language.changed` describes, and its BCP 47 tag. */
  language: string;
  languageTag: string;
  origin: 'created' | 'linked';
  status: string;
  outdated: boolean;
  /** Whether readers get it, if its subject is public and its language active. */
  live: boolean;
  /** The published texts by name, as in `title`; null unless it is live, and of a linked object, which has its own. */
  texts: Readonly<Record<string, string>> | null;
}

/**
 * The text of an object in another language was written, published, withdrawn, linked, unlinked, or became outdated.
 * The payload is null if it is deleted; only its id may then be kept.
 */
export type TranslationChanged = EventFrame<'translation.changed', 'translation', TranslationContent | null>;

/** The languages of an installation, in their order. */
export interface LanguagesContent {
  defaultCode: string;
  languages: readonly {
    code: string;
    languageTag: string;
    active: boolean;
    fallbacks: readonly string[];
  }[];
}

/** The languages of an installation changed; the object is the installation. */
export type LanguageChanged = EventFrame<'language.changed', 'installation', LanguagesContent>;

/** An analysis was stored, or the state of a work item of interface B changed. */
type SeoChanged = EventFrame<
  | 'seo.snapshot.created'
  | 'seo.audit_job.started'
  | 'seo.audit_job.finished'
  | 'seo.audit_job.cancelled'
  | 'seo.audit_job.expired'
  | 'seo.ai.acknowledged'
  | 'seo.ai.revoked',
  'seo_record' | 'audit_job' | 'installation',
  Readonly<Record<string, string | number | null>>
>;

/** An import of a feed started, progressed, or ended; the payload is its progress. */
type ListingImportChanged = EventFrame<
  'listing_import.changed',
  'listing_import',
  {
    dealerId: string;
    state: string;
    totalRows: number;
    counts: Readonly<Record<string, number>>;
  }
>;

/** An event about money states the resulting state, and no text that users wrote; see `docs/reference/events.md`. */
interface MoneyFacts {
  state: string;
}

/** A payment was created, or its state changed; `expiring` is one that must be captured within a day. */
export type PaymentChanged = EventFrame<
  | 'payment.created'
  | 'payment.updated'
  | 'payment.authorized'
  | 'payment.expiring'
  | 'payment.succeeded'
  | 'payment.failed'
  | 'payment.canceled'
  | 'payment.charged_back'
  | 'payment.chargeback_returned',
  'payment',
  MoneyFacts & {
    /** Amount that the payer's bank took or returned, in minor units; absent unless a chargeback moved money. */
    chargeback?: { amount: number; currency: string };
  }
>;

/** A refund to a payer. */
export type RefundChanged = EventFrame<
  'refund.created' | 'refund.updated' | 'refund.succeeded' | 'refund.failed' | 'refund.canceled',
  'refund',
  MoneyFacts
>;

/** A dispute of a payer; `updated` means that a side has made a statement, or that its period has ended. */
export type DisputeChanged = EventFrame<
  'dispute.opened' | 'dispute.updated' | 'dispute.decided' | 'dispute.withdrawn',
  'dispute',
  MoneyFacts
>;

/** A dealer gets its money, or does not. */
export type PayoutChanged = EventFrame<
  | 'payout.created'
  | 'payout.held'
  | 'payout.released'
  | 'payout.sent'
  | 'payout.paid'
  | 'payout.failed'
  | 'payout.retried'
  | 'payout.canceled',
  'payout',
  MoneyFacts
>;

/**
 * All events that one subgraph publishes to the others, by `type`. They are delivered at least once, in the order of an
 * object's changes. A new event needs a line here, and an `announce` in the update that makes the change:
 * `docs/reference/events.md`.
 */
export type DomainEvent =
  | ObjectChanged
  | ObjectDeleted
  | UserStateChanged
  | ListingImportChanged
  | ConversationChanged
  | RelationChanged
  | TranslationChanged
  | LanguageChanged
  | PaymentChanged
  | RefundChanged
  | DisputeChanged
  | PayoutChanged
  | SeoChanged;

/** Name of an event. */
export type EventType = DomainEvent['type'];
