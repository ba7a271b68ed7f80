import type { FieldProblem } from '../../../../../schema/Problem.ts';
import { AppError } from '../../../../platform/errors/AppError.ts';
import { findMissingAttributes } from '../../category/checkAttributes.ts';
import type { CategoryRecord } from '../../category/model.ts';
import type { ListingContent } from '../record/model.ts';

/** Returns what a listing needs before it can be published. */
export function findGaps(content: ListingContent, category: CategoryRecord | null): FieldProblem[] {
  const { title, description, categoryId, condition, price, priceType, location, dealerLocationId } = content;
  const placed = dealerLocationId !== null;
  const missing = {
    title: title === null,
    description: description === null,
    categoryId: categoryId === null,
    condition: condition === null,
    price: price === null && priceType !== 'on_request',
    // The dealer's location determines the location of the item.
    'location/postalCode': !placed && !location?.postalCode,
    'location/city': !placed && !location?.city,
    'location/country': !placed && !location?.country,
  };
  const names = Object.entries(missing).flatMap(([name, isMissing]) => (isMissing ? [name] : []));
  if (category)
    names.push(...findMissingAttributes(category, content.attributes).map((name) => `attributes/${name}`));
  return names.map((name) => ({
    pointer: `#/${name}`,
    code: 'required',
    detail: 'This member is required for a published listing.',
  }));
}

/**
 * Checks that no required content is missing.
 *
 * @throws AppError `listing_incomplete` with every gap
 */
export function assertNoGaps(gaps: readonly FieldProblem[]): void {
  if (gaps.length === 0) return;
  throw new AppError(
    'listing_incomplete',
    'The listing cannot be published yet, because required members are missing.',
    {
      errors: gaps.slice(0, 100),
    },
  );
}
