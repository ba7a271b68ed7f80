import type { FieldProblem } from '../../../../../schema/Problem.ts';
import { problem } from '../../../../platform/errors/AppError.ts';
import type { PaymentMetadataInput } from '../../../identity.generated.ts';

const mostEntries = 20;
const keyPattern = /^[A-Za-z0-9_-]{1,40}$/;
const longestValue = 500;

/** Returns the caller's metadata, with its errors. */
export function readMetadata(entries: readonly PaymentMetadataInput[] | null | undefined): {
  metadata: Record<string, string>;
  problems: FieldProblem[];
} {
  const metadata: Record<string, string> = Object.create(null);
  const problems: FieldProblem[] = [];
  const complain = (pointer: string, detail: string) =>
    problems.push(problem(`#/metadata${pointer}`, detail));
  if ((entries?.length ?? 0) > mostEntries) complain('', `Must have at most ${mostEntries} entries.`);
  for (const [index, { key, value }] of (entries ?? []).slice(0, mostEntries).entries()) {
    if (!keyPattern.test(key) || key === '__proto__')
      complain(`/${index}/key`, 'A key must have 1 to 40 characters of letters, digits, "-" and "_".');
    else if (Object.hasOwn(metadata, key)) complain(`/${index}/key`, 'This key appears twice.');
    else if ([...value].length > longestValue)
      complain(`/${index}/value`, `A value must have at most ${longestValue} characters.`);
    else metadata[key] = value;
  }
  return { metadata: { ...metadata }, problems };
}
