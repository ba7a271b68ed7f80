import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { forgetTranslations, rememberTranslations } from '../loaders.ts';
import type { TranslationHead } from '../model.ts';
import { forgetGroups } from './loadGroup.ts';

/**
 * Forgets records and groups after a write: the rest of the request reads what is stored now, but for what it has just
 * written.
 */
export function forgetMemberships(context: RequestContext, written: readonly TranslationHead[] = []): void {
  forgetTranslations(context);
  forgetGroups(context);
  rememberTranslations(context, written);
}
