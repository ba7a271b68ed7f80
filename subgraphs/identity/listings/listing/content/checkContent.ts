import type { FieldProblem } from '../../../../../schema/Problem.ts';
import { problem } from '../../../../platform/errors/AppError.ts';
import { findMarkdownFault } from '../../../kernel/markdown/findMarkdownFault.ts';
import { isCurrency } from '../../../kernel/money/isCurrency.ts';
import type { StoredMoney } from '../../../kernel/money/model.ts';
import { isCountry } from '../../../kernel/place/isCountry.ts';
import { isDeceptive } from '../../../kernel/text/checkLine.ts';
import type { DealerRecord } from '../../../people/dealer/model.ts';
import { checkAttributes } from '../../category/checkAttributes.ts';
import type { CategoryRecord } from '../../category/model.ts';
import type { ListingContent, StoredListingLocation } from '../record/model.ts';

/** Records that a listing refers to; null if a record does not exist in the installation. */
export interface ListingReferences {
  category: CategoryRecord | null;
  /** The dealer that owns the listing; null for a private one. */
  dealer: DealerRecord | null;
}

const stockNumberPattern = /^[A-Za-z0-9._/-]{1,64}$/;
/** Returns all errors in the content of a listing or draft. */
export function checkContent(content: ListingContent, references: ListingReferences): FieldProblem[] {
  return [
    ...checkTexts(content),
    ...checkMoney(content),
    ...checkLocation(content.location),
    ...checkReferences(content, references),
  ];
}

function* checkTexts({ title, description }: ListingContent): Generator<FieldProblem> {
  const length = [...(title ?? '')].length;
  if (title !== null && (length < 5 || length > 120))
    yield problem('#/title', 'A title must have 5 to 120 characters.');
  if (title !== null && isDeceptive(title))
    yield problem('#/title', 'A title must not contain control or text-direction characters.');
  const fault = description === null ? null : findMarkdownFault(description, 20_000);
  if (fault) yield problem('#/description', fault);
}

function* checkMoney({ price, priceType, tax }: ListingContent): Generator<FieldProblem> {
  if (price) yield* checkPrice(price);
  if (price && priceType === 'on_request')
    yield problem('#/price', 'A listing with the price on request must not contain a price.');
  if (tax.rateBps !== null && (tax.rateBps < 0 || tax.rateBps > 10_000))
    yield problem('#/tax/rateBps', 'A rate must be from 0 to 10000 basis points.');
}

/** Returns the error in the amount of `price`. */
export function* checkPrice({ amount, currency }: StoredMoney): Generator<FieldProblem> {
  if (amount < 0) yield problem('#/price/amount', 'A price must not be negative.');
  if (!isCurrency(currency))
    yield problem('#/price/currency', 'A currency must be an ISO 4217 code, such as EUR.');
}

function* checkLocation(location: StoredListingLocation | null): Generator<FieldProblem> {
  if (!location) return;
  const limits = { postalCode: 16, city: 80, region: 80 } as const;
  for (const [member, maximum] of Object.entries(limits)) {
    const text = location[member as keyof typeof limits] ?? '';
    if ([...text].length > maximum || isDeceptive(text))
      yield problem(
        `#/location/${member}`,
        `Must have at most ${maximum} characters and no control characters.`,
      );
  }
  if (location.country !== null && !isCountry(location.country))
    yield problem('#/location/country', 'A country must be an ISO 3166-1 alpha-2 code, such as DE.');
  if (!location.geo) return;
  if (Math.abs(location.geo.lat) > 90)
    yield problem('#/location/geo/lat', 'A latitude must be from -90 to 90.');
  if (Math.abs(location.geo.lng) > 180)
    yield problem('#/location/geo/lng', 'A longitude must be from -180 to 180.');
}

function* checkReferences(
  { categoryId, attributes, stockNumber, dealerLocationId, contact }: ListingContent,
  { category, dealer }: ListingReferences,
): Generator<FieldProblem> {
  if (categoryId !== null && !category) yield problem('#/categoryId', 'This category does not exist.');
  if (category && !category.leaf)
    yield problem('#/categoryId', 'This category has subcategories. Send one of these instead.');
  if (category) yield* checkAttributes(category, attributes, '#/attributes');
  else if (categoryId === null && Object.keys(attributes).length > 0)
    yield problem('#/attributes', 'Attributes need a category. Send "categoryId" as well.');
  if (stockNumber !== null && !(dealer && stockNumberPattern.test(stockNumber)))
    yield problem(
      '#/stockNumber',
      dealer
        ? 'Must have at most 64 characters of A-Z a-z 0-9 . _ / -.'
        : 'Only listings of dealers have a stock number.',
    );
  if (dealerLocationId !== null && !dealer?.locations?.some(({ id }) => id === dealerLocationId))
    yield problem('#/dealerLocationId', 'This location does not exist.');
  const { assigneeUserId } = contact;
  if (assigneeUserId !== null && !dealer?.members.some(({ userId }) => userId === assigneeUserId))
    yield problem('#/contact/assigneeUserId', 'This user is not a member of the dealer.');
}
