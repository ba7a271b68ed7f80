import type { FieldProblem } from '../../../../../schema/Problem.ts';
import { problem } from '../../../../platform/errors/AppError.ts';
import { isCountry } from '../../../kernel/place/isCountry.ts';
import { checkLine } from '../../../kernel/text/checkLine.ts';
import type { StoredAddress } from '../model.ts';

const addressLines = { line1: 120, line2: 120, postalCode: 16, city: 80, region: 80 } as const;

/** Yields the errors in an address at this pointer. */
export function* checkAddress(address: StoredAddress, pointer: string): Generator<FieldProblem> {
  for (const [member, maximum] of Object.entries(addressLines)) {
    const text = address[member as keyof typeof addressLines];
    if (text !== null) yield* checkLine(text, `${pointer}/${member}`, { maximum });
  }
  if (!isCountry(address.country))
    yield problem(`${pointer}/country`, 'A country must be an ISO 3166-1 alpha-2 code, such as DE.');
}
