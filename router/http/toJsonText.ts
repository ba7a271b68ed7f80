import { isUtf8 } from 'node:buffer';
import { describeDeepJson, scanJson } from '../../schema/scanJson.ts';
import { AppError } from '../../subgraphs/platform/errors/AppError.ts';
import { defaultLimits } from '../limits/DocumentLimits.ts';

/**
 * Text of a JSON body, not parsed yet. What is no UTF-8 is refused, not repaired: two readers would read two things.
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
