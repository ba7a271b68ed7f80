import { isUtf8 } from 'node:buffer';
import { describeDeepJson, scanJson } from '../../schema/scanJson.ts';
import { AppError } from '../../subgraphs/platform/errors/AppError.ts';
import { defaultLimits } from '../limits/DocumentLimits.ts';

/**
 * Returns the text of a JSON body. Invalid UTF-8 is refused and not repaired, because two readers would repair it
 * differently.
 *
 * @throws AppError `invalid_json`
 */
export function toJsonText(body: Buffer): string {
  if (!isUtf8(body)) throw new AppError('invalid_json', 'The body is not valid UTF-8.');
  const text = body.toString('utf8');
  const { tooDeepAt } = scanJson(text, defaultLimits.nesting);
  if (tooDeepAt !== -1)
    throw new AppError('invalid_json', describeDeepJson(tooDeepAt, defaultLimits.nesting));
  return text;
}
