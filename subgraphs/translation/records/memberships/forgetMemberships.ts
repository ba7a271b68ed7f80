import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { forgetTranslations, rememberTranslations } from '../loaders.ts';
import type { TranslationHead } from '../model.ts';
import { forgetGroups } from './loadGroup.ts';

/**
 * Drops cached records and groups after a write. The rest of the request reads the stored state, except for the records
 * that it has just written.
 */
export function forgetMemberships(context: RequestContext, written: readonly TranslationHead[] = []): void {
  forgetTranslations(context);
  forgetGroups(context);
  rememberTranslations(context, written);
}
