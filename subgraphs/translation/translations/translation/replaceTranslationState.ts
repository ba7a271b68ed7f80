import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import type { TranslationParent } from '../../records/TranslationParent.ts';
import type { ReplaceTranslationStateInput } from '../../translation.generated.ts';
import { changeState } from './changeTranslationStatus.ts';

/** Replaces the changeable state of a translation: omitted members become null. */
export function replaceTranslationState(
  input: ReplaceTranslationStateInput,
  context: RequestContext,
): Promise<{ translation: TranslationParent }> {
  const { status, note = null, assigneeId = null, dueAt = null, sourceDigest } = input;
  return changeState(context, input, {
    status,
    note,
    assigneeId,
    dueAt,
    ...(sourceDigest == null ? {} : { sourceDigest }),
  });
}
