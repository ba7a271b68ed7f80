import { ownershipRequired } from '../auth/ownership.ts';
import type { RequestContext } from '../context/RequestContext.ts';
import { AppError } from '../errors/AppError.ts';
import { question } from './question.ts';

/** Record types to which other subgraphs attach data. The owning subgraph decides about access. */
export const ownedTypes = ['Listing', 'Dealer', 'Page', 'Media'] as const;

/** GraphQL type name of an owned record. */
export type OwnedType = (typeof ownedTypes)[number];

/** Content of a record as its subgraph returns it to this caller. */
export interface OwnedRecord {
  id: string;
  /** False also for records of another installation; all other members are then null or false. */
  exists: boolean;
  /** `usr_…` or `dlr_…`. */
  ownerId: string | null;
  viewerCanRead: boolean;
  viewerCanEdit: boolean;
  /**
   * Whether it belongs to the caller only through a suspended or closed dealer, so that the caller may only read it.
   */
  viewerOnlyReads: boolean;
  contentVersion: number | null;
  /** Content; null unless the viewer may read it. */
  content: OwnedContent | null;
}

/** The words of a record, for analysis and translation. */
export interface OwnedContent {
  /** BCP 47. */
  languageTag: string | null;
  visibility: 'PUBLIC' | 'PRIVATE';
  url: string | null;
  slug: string | null;
  title: string;
  html: string;
  /** Texts by name of the translatable field, as in `{title, description}`. */
  fields: Record<string, string>;
  /** Images of the record in their order. Only if details were requested. */
  images?: readonly OwnedImage[] | null;
  /** Offered product as readers see it; only if details were requested and the record has one. */
  product?: OwnedProduct | null;
}

/** Image of a record. */
export interface OwnedImage {
  src: string;
  /** Alternative text. */
  alt: string | null;
}

/** Product that a record offers. */
export interface OwnedProduct {
  /** Type in terms of schema.org: `Car`. */
  type: string | null;
  brand: string | null;
  /** Masked as readers see it. */
  vin: string | null;
  /** Amount in minor units. */
  price: { amount: number; currency: string } | null;
  /** Availability in terms of schema.org: `InStock`. */
  availability: string;
  /** Facts that readers see, by name. */
  attributes: Record<string, unknown>;
  /** Units and labels of the facts, by name. */
  attributeDisplay: Record<string, AttributeDisplay>;
}

/** Unit and labels of an attribute. */
export interface AttributeDisplay {
  unit?: string;
  /** Unit in which readers expect the number, by language: the stored number is multiplied by `factor`. */
  readerUnit?: { factor: number; names: Readonly<Record<string, string>> };
  /** Labels of values by language. */
  valueLabels?: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** Words of a record in another language, by the name of the field. */
export type Words = Readonly<Record<string, string | null>>;

const texts = ['slug', 'title', 'html', 'fields'].map((name) => `${name} @include(if: $texts)`).join(' ');

const details = `images @include(if: $details) { src alt }
      product @include(if: $details) { type brand vin price { amount currency } availability attributes attributeDisplay }`;

/**
 * Requested level of detail. `access`: the caller's rights, visibility, language and URL only, so that a thousand
 * records are cheap. `texts`: the texts as well. `details`: everything.
 */
export type AskedOf = 'access' | 'texts' | 'details';

/** A record with the requested level of detail; with texts in another language, as it would be shown with these. */
interface OwnedKey {
  type: OwnedType;
  id: string;
  asked: AskedOf;
  words?: Words;
  textId?: string;
}

/** The question of `loadOwned`. Its members are `@inaccessible`, so only a subgraph can ask it. */
export const askOwner = question<OwnedKey, Omit<OwnedRecord, 'exists'>, OwnedRecord>({
  subgraph: 'identity',
  document: `query askOwner($representations: [_Any!]!, $texts: Boolean!, $details: Boolean!) {
  _entities(representations: $representations) {
    __typename
${ownedTypes.map((type) => `    ... on ${type} { id viewerCanRead viewerCanEdit viewerOnlyReads ownerId @include(if: $texts) contentVersion @include(if: $texts) content { languageTag visibility url ${texts} ${details} } }`).join('\n')}
  }
}`,
  nameOf: ({ type, id, textId }) => (textId ? `${type}:${id}:${textId}` : `${type}:${id}`),
  rankOf: ({ asked }) => levels.indexOf(asked),
  variablesOf: ({ asked }) => ({ texts: asked !== 'access', details: asked === 'details' }),
  toRepresentation: ({ type, id, asked, words }) => ({
    __typename: type,
    id,
    // The owner reads fewer members of the record; see `asksForAccess`.
    ...(asked === 'access' && { asked }),
    // The owner renders these texts in place of its own, because only it knows how they are shown.
    ...(words && { words }),
  }),
  toAnswer: (found, { id }) => (found ? toOwned(id, found) : unknownRecord(id)),
});

const levels: readonly AskedOf[] = ['access', 'texts', 'details'];

/** Returns whether a reference requests only access, so that its owner can read fewer members. */
export function asksForAccess(reference: object): boolean {
  return 'asked' in reference && reference.asked === 'access';
}

const noTexts = { slug: null, title: '', html: '', fields: {} };

/** Converts the entity. Members that were not requested are null or empty. */
function toOwned(id: string, { content, ...found }: Omit<OwnedRecord, 'exists'>): OwnedRecord {
  return {
    ...found,
    id,
    exists: true,
    ownerId: found.ownerId ?? null,
    contentVersion: found.contentVersion ?? null,
    content: content && { ...noTexts, ...content },
  };
}

function unknownRecord(id: string): OwnedRecord {
  return {
    id,
    exists: false,
    ownerId: null,
    viewerCanRead: false,
    viewerCanEdit: false,
    viewerOnlyReads: false,
    contentVersion: null,
    content: null,
  };
}

/**
 * Asks the owning subgraph about a record. All questions of one tick are one operation, or two if some request more
 * than others. A record is requested once for each request, and once more if an earlier question selected less.
 *
 * @param asked see `AskedOf`; members that were not requested are null or empty
 */
export async function loadOwned(
  context: RequestContext,
  type: OwnedType,
  id: string,
  asked: AskedOf = 'texts',
): Promise<OwnedRecord> {
  const loader = context.loader(askOwner.loader);
  const record = await loader.load({ type, id, asked });
  // A level includes all lower ones.
  if (asked === 'details') loader.prime({ type, id, asked: 'texts' }, record);
  if (asked !== 'access') loader.prime({ type, id, asked: 'access' }, record);
  return record;
}

/**
 * Returns a record like `loadOwned`, with texts in another language in place of its own.
 *
 * @param asked `textId` identifies these texts, which are requested once for each request
 */
export function loadRendered(
  context: RequestContext,
  { type, id }: { type: OwnedType; id: string },
  { words, textId, details = false }: { words: Words; textId: string; details?: boolean },
): Promise<OwnedRecord> {
  const asked = details ? 'details' : 'texts';
  return context.loader(askOwner.loader).load({ type, id, asked, words, textId });
}

/**
 * Checks what a capability of interface B or C may do with a record: with breadth `any` every readable record of the
 * installation, with breadth `own` the caller's own.
 *
 * @throws AppError `not_found` (or the given code) if it does not exist here, `ownership_required` for a record of
 *   another owner
 */
export function assertReach(
  record: OwnedRecord,
  breadth: 'any' | 'own',
  missing: 'not_found' | 'object_not_found' | 'related_object_not_found' = 'not_found',
): void {
  if (!record.exists) throw new AppError(missing, 'The object does not exist.');
  if (breadth === 'own' ? record.viewerCanEdit : record.viewerCanRead) return;
  throw ownershipRequired();
}

/**
 * Checks that a capability of breadth `own` may change a record: it must not belong to a suspended or closed dealer.
 * Call it after `assertReach`, for writes.
 *
 * @throws AppError `dealer_not_active`
 */
export function assertMayWrite(record: OwnedRecord, breadth: 'any' | 'own' | null): void {
  if (breadth === 'any' || !record.viewerOnlyReads) return;
  throw new AppError('dealer_not_active', 'The dealer is not active. Only active dealers can do this.');
}
