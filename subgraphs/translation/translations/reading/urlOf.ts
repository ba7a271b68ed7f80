import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import type { OwnedRecord } from '../../../platform/federation/askOwner.ts';
import { homeUrlOf } from '../../languages/language/homeUrlOf.ts';
import { type LanguageSettings, loadLanguageSettings } from '../../languages/language/languageSettings.ts';
import type { LanguageEntry } from '../../languages/language/model.ts';
import { loadMarketplaceObject, ownLanguageOf } from '../../objects/marketplaceObject.ts';
import type { TranslationParent } from '../../records/TranslationParent.ts';

/**
 * Returns the URL of an object's page. A linked object has its own. A created translation has the same path below the
 * home URL of its language. Null if the caller may not see the object, or its URL is not below the installation's.
 */
export async function urlOf(context: RequestContext, parent: TranslationParent): Promise<string | null> {
  const settings = await loadLanguageSettings(context);
  return toUrl(
    settings,
    await loadMarketplaceObject(context, parent.marketplaceObject, parent.accessSource),
    parent,
  );
}

function toUrl(settings: LanguageSettings, owned: OwnedRecord, parent: TranslationParent): string | null {
  const { content } = owned;
  if (!content?.url || parent.record?.origin !== 'created') return content?.url ?? null;
  const language = settings.byCode.get(parent.code ?? '');
  const own = settings.byCode.get(ownLanguageOf(settings, owned) ?? '');
  const path = pathBelowHome(content.url, settings, own);
  return language && path !== null ? addressOf(path, language, settings) : null;
}

/** Returns path and query of a page, relative to the home URL of its language. */
function pathBelowHome(
  url: string,
  settings: LanguageSettings,
  own: LanguageEntry | undefined,
): string | null {
  const homes = [...(own ? [homeUrlOf(own, settings.urls)] : []), `${settings.urls.baseUrl}/`];
  const home = homes.find((candidate) => !candidate.includes('?') && url.startsWith(candidate));
  return home === undefined ? null : url.slice(home.length);
}

function addressOf(path: string, language: LanguageEntry, settings: LanguageSettings): string | null {
  const home = new URL(homeUrlOf(language, settings.urls));
  const page = URL.parse(path, `${home.origin}${home.pathname}`);
  if (!page || page.origin !== home.origin) return null;
  for (const [name, value] of home.searchParams) page.searchParams.set(name, value);
  return page.href;
}
