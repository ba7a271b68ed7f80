import type { Command } from './Command.ts';
import { CommandError } from './CommandError.ts';

/**
 * Operators for which DocumentDB 1.0 returns wrong results. `$dateTrunc` returns another day for most dates; `$dateAdd`
 * and `$dateSubtract` occasionally lose a millisecond; `$dateFromString` reads ".071" as 710 milliseconds. A refusal is
 * found in the first test, a wrong date perhaps never.
 */
const wrong: Readonly<Record<string, string>> = {
  $dateTrunc: 'use $dateFromParts with $year, $month and $dayOfMonth',
  $dateAdd: 'use $add with milliseconds, or compute the date in the application',
  $dateSubtract: 'use $subtract with milliseconds, or compute the date in the application',
  $dateFromString: 'store dates as dates',
};

/** Common prefix of their names; most commands do not contain it, so the check is cheap for them. */
const commonStart = Buffer.from('$date');
const documentType = 0x03;

/** Throws CommandNotSupported when a query, update or pipeline uses one of the operators. */
export function refuseWrongOperators(command: Command): void {
  if (command.name === 'insert') return; // documents, not expressions
  for (const bytes of [command.body.bytes, ...command.sequences.values()]) {
    for (let at = bytes.indexOf(commonStart); at >= 0; at = bytes.indexOf(commonStart, at + 1)) {
      // A key followed by a document; a text that contains the name is ignored.
      if (bytes[at - 1] !== documentType) continue;
      const operator = bytes.toString('latin1', at, bytes.indexOf(0, at));
      const instead = Object.hasOwn(wrong, operator) ? wrong[operator] : undefined;
      if (!instead) continue;
      const reason = `${operator} is refused by the embedded database, whose engine answers it wrongly`;
      throw new CommandError('CommandNotSupported', `${reason}; ${instead}`);
    }
  }
}
