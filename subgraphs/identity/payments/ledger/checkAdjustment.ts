import type { FieldProblem } from '../../../../schema/Problem.ts';
import { problem } from '../../../platform/errors/AppError.ts';
import { isCurrency } from '../../kernel/money/isCurrency.ts';
import { checkLine } from '../../kernel/text/checkLine.ts';
import { type Posting, readAccount } from './accounts.ts';

const longestReason = 500;
const mostPostings = 20;

/** Returns the errors in the members of an adjustment, except its sum. */
export function checkAdjustment(reason: string, postings: readonly Posting[]): FieldProblem[] {
  const problems = [...checkLine(reason, '#/reason', { maximum: longestReason })];
  if (postings.length < 2 || postings.length > mostPostings)
    return [...problems, problem('#/postings', `An adjustment must have 2 to ${mostPostings} lines.`)];
  return [...problems, ...postings.flatMap((posting, index) => [...checkPosting(posting, index, postings)])];
}

function* checkPosting(
  { account, amount, currency }: Posting,
  index: number,
  [first, ...others]: readonly Posting[],
): Generator<FieldProblem> {
  const pointer = `#/postings/${index}`;
  const read = readAccount(account);
  if (!read) yield problem(`${pointer}/account`, 'This ledger account does not exist.');
  else if (read.holder === 'dealer' && dealerOf([first, ...others]) !== read.dealerId)
    yield problem(
      `${pointer}/account`,
      'An adjustment must not contain accounts of two dealers. Create two adjustments, each against a platform account.',
    );
  if (amount === 0) yield problem(`${pointer}/amount/amount`, 'The amount of a line must not be 0.');
  if (!isCurrency(currency))
    yield problem(`${pointer}/amount/currency`, 'A currency must be an ISO 4217 code, such as EUR.');
  else if (currency !== first?.currency)
    yield problem(`${pointer}/amount/currency`, 'All lines of an adjustment must have the same currency.');
}

/** Returns the first dealer that the postings name. */
function dealerOf(postings: readonly (Posting | undefined)[]): string | undefined {
  for (const posting of postings) {
    const read = readAccount(posting?.account ?? '');
    if (read?.holder === 'dealer') return read.dealerId;
  }
  return undefined;
}
