import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { loadLanguageSettings } from '../../languages/language/languageSettings.ts';
import { findTranslation } from '../../records/findTranslation.ts';
import { isEditor } from '../../records/policy.ts';
import { isLive, type TranslationParent, toTranslationParent } from '../../records/TranslationParent.ts';

/**
 * Returns the translation of another subgraph's reference: its current state for editors, and for readers if it is
 * live.
 */
export async function findVisible(context: RequestContext, id: string): Promise<TranslationParent | null> {
  const object = await findTranslation(context, id);
  if (!object) return null;
  const settings = await loadLanguageSettings(context);
  if (isEditor(context.viewerOrNull, object)) return toTranslationParent(settings, object, 'editorial');
  const translation = toTranslationParent(settings, object, 'public');
  const isActive = settings.byCode.get(translation.code ?? '')?.active ?? false;
  return isActive && isLive(translation, object.owned) ? translation : null;
}
