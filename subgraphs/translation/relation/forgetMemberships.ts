import type { RequestContext } from '../../platform/context/RequestContext.ts';
import { forgetTranslations } from '../translation/loaders.ts';
import { forgetGroups } from './loadGroup.ts';

/** Forgets records and groups after a write: the rest of the request reads what is stored now. */
export function forgetMemberships(context: RequestContext): void {
  forgetTranslations(context);
  forgetGroups(context);
}
