/** Kinds of marketplace objects that tell of their changes. */
export type EventObjectType = 'listing' | 'dealer' | 'media' | 'page';

/** What an object is to everybody but its owner's subgraph; consumers never ask back. */
export interface ObjectContent {
  /** `usr_…` or `dlr_…`; null where nobody owns it. */
  ownerId: string | null;
  /** BCP 47; null where the object has no words. */
  languageTag: string | null;
  /** Whether readers reach it at this version. */
  visibility: 'PUBLIC' | 'PRIVATE';
  /** Absolute; null before there is one. */
  url: string | null;
  slug: string | null;
  title: string;
  /** Sanitised; 512 KB at most. Of a public object what readers see, never what waits for review. */
  html: string;
  /** Of the translatable texts together; see `platform/content/digestOf.ts`. */
  contentDigest: string;
  /** Of each translatable text, by name. */
  fieldDigests: Readonly<Record<string, string>>;
}

interface EventFrame<Type extends string, ObjectType extends string, Payload> {
  /** The same for every delivery. */
  readonly id: string;
  readonly at: Date;
  readonly type: Type;
  readonly installationId: string;
  readonly object: { readonly type: ObjectType; readonly id: string };
  /** Grows with every change of the object; an event with a lower one than what is known tells nothing new. */
  readonly contentVersion: number;
  readonly payload: Payload;
}

/** An object of the marketplace came, changed, or became visible or invisible to readers. */
export type ObjectChanged = EventFrame<
  'object.created' | 'object.updated' | 'object.published' | 'object.unpublished' | 'object.owner_changed',
  EventObjectType,
  ObjectContent
>;

/** An object is gone, and nothing may be kept of it but its id. */
export type ObjectDeleted = EventFrame<'object.deleted', EventObjectType, null>;

/** An account came into another state; `deleted` means that the person is erased. */
export type UserStateChanged = EventFrame<'user.state_changed', 'user', { from: string; to: string }>;

/** Members of a group of translations changed. */
type RelationChanged = EventFrame<'relation.changed', 'relation', { objectKeys: readonly string[] }>;

/** A text in another language was written, published, withdrawn or removed. */
type TranslationChanged = EventFrame<
  'translation.changed',
  'translation',
  { objectKey: string; language: string; live: boolean }
>;

/** The languages of an installation changed; the object is the installation. */
type LanguageChanged = EventFrame<'language.changed', 'installation', { codes: readonly string[] }>;

/** An analysis was stored, or the work of interface B came to another state. */
type SeoChanged = EventFrame<
  | 'seo.snapshot.created'
  | 'seo.audit_job.started'
  | 'seo.audit_job.finished'
  | 'seo.audit_job.cancelled'
  | 'seo.audit_job.expired'
  | 'seo.ai.acknowledged'
  | 'seo.ai.revoked',
  'snapshot' | 'audit_job' | 'installation',
  Readonly<Record<string, string | number | null>>
>;

/** An import of a feed began, got further, or ended; the payload is how far it is. */
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

/**
 * Everything that one subgraph tells the others, by `type`. Delivered at least once and in the order of changes of an
 * object. A new event is a line here, and an `announce` in the update that makes the change: `docs/events.md`.
 */
export type DomainEvent =
  | ObjectChanged
  | ObjectDeleted
  | UserStateChanged
  | ListingImportChanged
  | RelationChanged
  | TranslationChanged
  | LanguageChanged
  | SeoChanged;

/** Name of an event. */
export type EventType = DomainEvent['type'];
