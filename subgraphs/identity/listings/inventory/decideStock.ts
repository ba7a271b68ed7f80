import { assertVersion } from '../../../platform/concurrency/assertVersion.ts';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { AppError, invalidField, invalidFields } from '../../../platform/errors/AppError.ts';
import { newId } from '../../../platform/ids/newId.ts';
import { dealerNotActive } from '../../kernel/dealer-standing/assertMayChange.ts';
import type { DealerRecord } from '../../people/dealer/model.ts';
import type { CategoryRecord } from '../category/model.ts';
import { applyRow, emptyContent, type ListingInput } from '../listing/content/applyInput.ts';
import { checkContent, type ListingReferences } from '../listing/content/checkContent.ts';
import { assertNoGaps, findGaps } from '../listing/content/findGaps.ts';
import { pickContent } from '../listing/content/revision.ts';
import { countedStates } from '../listing/lifecycle/assertQuota.ts';
import { decideContent } from '../listing/lifecycle/decideContent.ts';
import { decidePublication, renewal } from '../listing/lifecycle/decideTransition.ts';
import { type ListingChanges, toUpdate } from '../listing/lifecycle/saveListing.ts';
import { newListing } from '../listing/newListing.ts';
import { asOfNow } from '../listing/record/asOfNow.ts';
import type { ListingContent, ListingRecord } from '../listing/record/model.ts';
import { invalidTransition } from '../listing/record/states.ts';
import { checkImageUrls } from '../stock-image/requestImages.ts';
import type { StockRow } from './StockRow.ts';
import { typeAttributes } from './typeAttributes.ts';

/** Dealer of the stock, and the records that its rows may refer to. */
export interface Stock {
  context: Pick<RequestContext, 'platform' | 'installation'>;
  dealer: DealerRecord;
  /** Categories by id and by slug. */
  categories: ReadonlyMap<string, CategoryRecord>;
  /**
   * Checks that the writer may own the listing.
   *
   * @throws AppError otherwise
   */
  assertOwn?: (after: Pick<ListingRecord, 'owner' | 'dealerLocationId'>) => void;
}

/** Action for a row. */
export type StockDecision =
  | { kind: 'created'; record: ListingRecord; released: ListingRecord | null; takesPlace: boolean }
  | { kind: 'updated'; before: ListingRecord; changes: ListingChanges; takesPlace: boolean }
  | { kind: 'unchanged'; before: ListingRecord };

/**
 * Returns what a row of a dealer's stock means for the listing with its stock number. The rules are those of the
 * methods for single listings, so a feed can store nothing that a manual change could not.
 *
 * @param stored the stored listing with this number; null if there is none
 * @throws AppError with all errors in the row
 */
export function decideStock(stored: ListingRecord | null, row: StockRow, stock: Stock): StockDecision {
  const { context, dealer } = stock;
  // The stock number of an archived listing can be reused.
  const isGone = stored?.state === 'archived';
  const before = stored && !isGone ? asOfNow(stored, context.platform.now()) : null;
  if (stored && before && isKnown(before, row)) return { kind: 'unchanged', before: stored };
  const owner = { type: 'dealer', id: dealer._id } as const;
  const start = before ? pickContent(before) : emptyContent(context.installation.locales[0] ?? 'en');
  if (before) stock.assertOwn?.(before);
  const { content, references } = readContent(start, row, stock);
  assertExpected(before, row);
  if (stored && before) return decideChange({ stored, before }, content, references, { row, context });
  const place = { _id: newId('listing'), owner };
  const draft: ListingRecord = {
    ...newListing(content, place, context),
    installationId: context.installation.id,
  };
  const changes = row.publish ? decideShow(draft, false, references, context) : null;
  return {
    kind: 'created',
    record: changes ? afterwards(draft, toUpdate(context, draft, changes)) : draft,
    released: isGone ? stored : null,
    takesPlace: changes !== null,
  };
}

/** Applies a first change to a new record as if it were part of it: an event is published if it is public. */
function afterwards(draft: ListingRecord, { $set }: ReturnType<typeof toUpdate>): ListingRecord {
  return { ...draft, ...($set as Partial<ListingRecord>) };
}

/** Returns whether the listing was already updated from the same row, and is unchanged since. */
export function isKnown(
  { stockDigest, version, state }: Pick<ListingRecord, 'stockDigest' | 'version' | 'state'>,
  { digest, publish }: StockRow,
): boolean {
  if (digest === undefined || stockDigest?.digest !== digest || stockDigest.version !== version) return false;
  return state !== 'sold' && (!publish || countedStates.has(state));
}

function readContent(
  start: ListingContent,
  { stockNumber, category: slug, input, isText, imageUrls = [] }: StockRow,
  { context, dealer, categories, assertOwn }: Stock,
): { content: ListingContent; references: ListingReferences } {
  const named = typeof slug === 'string' ? categories.get(slug) : undefined;
  if (typeof slug === 'string' && (!named || input.categoryId)) {
    const detail = named
      ? 'Send the category once: either by id or by slug.'
      : 'This category does not exist.';
    throw invalidField('#/category', detail);
  }
  const categoryId = named?._id ?? input.categoryId;
  const texts = isText ? input.attributes : null;
  const category = categories.get(categoryId ?? start.categoryId ?? '') ?? null;
  const stated: ListingInput = {
    ...input,
    stockNumber,
    ...(named ? { categoryId: named._id } : {}),
    ...(typeof texts === 'object' && texts !== null
      ? { attributes: typeAttributes(texts as Record<string, unknown>, category) }
      : {}),
  };
  const content = applyRow(start, stated);
  assertOwn?.({ ...content, owner: { type: 'dealer', id: dealer._id } });
  const references = { category: categories.get(content.categoryId ?? '') ?? null, dealer };
  const problems = [...checkContent(content, references), ...checkImageUrls(imageUrls, context.platform)];
  if (problems.length > 0) throw invalidFields(problems);
  return { content, references };
}

function assertExpected(before: ListingRecord | null, { expectedVersion }: StockRow): void {
  if (before) assertVersion(before.version, expectedVersion);
  else if (expectedVersion !== null && expectedVersion !== undefined)
    throw new AppError('precondition_failed', 'The dealer has no listing with this stock number.');
}

function decideChange(
  { stored, before }: { stored: ListingRecord; before: ListingRecord },
  content: ListingContent,
  references: ListingReferences,
  { row, context }: { row: StockRow; context: Stock['context'] },
): StockDecision {
  const changed = decideContent(before, content, references.category, context);
  const after: ListingRecord = { ...before, ...changed };
  const isOther = after.revision !== before.revision;
  const shown = row.publish ? decideShow(after, isOther, references, context) : null;
  if (!changed && !shown) return { kind: 'unchanged', before: stored };
  return {
    kind: 'updated',
    before: stored,
    changes: { ...changed, ...shown },
    takesPlace: shown !== null && !countedStates.has(before.state),
  };
}

/**
 * Returns the transition that publishes a listing; null if it is public or in review.
 *
 * @param isOther whether the row changed reviewed content; a rejected listing is not published unchanged
 * @throws AppError `dealer_not_active`, `listing_incomplete`, `invalid_transition`
 */
function decideShow(
  listing: ListingRecord,
  isOther: boolean,
  { category, dealer }: ListingReferences,
  context: Stock['context'],
): ListingChanges | null {
  if (countedStates.has(listing.state)) return null;
  if (dealer?.state !== 'active') throw dealerNotActive();
  assertNoGaps(findGaps(listing, category));
  if (listing.state === 'rejected' && !isOther) throw invalidTransition('rejected', 'published as it is');
  const changes =
    listing.state === 'expired' ? renewal(listing, context) : decidePublication(listing, context);
  // The reason of a state does not apply to the next one, and a reservation belongs to only one state.
  return { stateReason: null, reservation: null, ...changes };
}
