import type { FieldProblem } from '../../../../../schema/Problem.ts';
import type { ListingContent } from '../record/model.ts';

const shortDescription = 100;

/** Returns suggestions that make a listing easier to find and read. They do not prevent publication. */
export function findWarnings({
  title,
  description,
  price,
  attributes,
  media,
}: ListingContent): FieldProblem[] {
  const warnings: FieldProblem[] = [];
  const letters = title?.replace(/[^\p{L}]/gu, '') ?? '';
  if (letters.length >= 10 && letters === letters.toUpperCase() && letters !== letters.toLowerCase())
    warnings.push({ pointer: '#/title', code: 'shouting', detail: 'A title in capitals is harder to read.' });
  if ([...(description ?? '')].length < shortDescription)
    warnings.push({
      pointer: '#/description',
      code: 'description_short',
      detail: `Descriptions of at least ${shortDescription} characters are found more often.`,
    });
  if (!media.some(({ kind }) => kind === 'image'))
    warnings.push({
      pointer: '#/media',
      code: 'no_picture',
      detail: 'Listings without a picture get few views.',
    });
  if (price?.amount === 0)
    warnings.push({
      pointer: '#/price',
      code: 'price_zero',
      detail: 'The price is 0, so the listing is shown as free.',
    });
  const { previousOwners, mileageKm } = attributes;
  if (previousOwners === 0 && typeof mileageKm === 'number' && mileageKm > 1000)
    warnings.push({
      pointer: '#/attributes/previousOwners',
      code: 'implausible',
      detail: 'A vehicle with this mileage has usually had an owner.',
    });
  return warnings;
}
