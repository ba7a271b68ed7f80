import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { type AlternateLink, loadAlternates } from '../../../platform/federation/askAlternates.ts';
import type { AnalysisInput, Surroundings } from '../../engine/contract.ts';
import { toPageAddress } from '../../engine/links/classifyLinks.ts';
import { toAddressKey } from '../../engine/toKey.ts';
import type { StoredSeoRecord } from '../record/model.ts';
import type { RecordKey } from '../record/records.ts';
import { type PageSearch, pageSearchOf } from './pageSearch.ts';

/**
 * Returns the pages of an object in other languages. All of them have the same links, so each links back to this page,
 * unless this page is omitted from the links. Null if they are unknown.
 */
export async function findAlternates(
  context: RequestContext,
  { object, locale }: RecordKey,
  { permalink }: AnalysisInput,
): Promise<Surroundings['alternates']> {
  if (!permalink) return null;
  const links = await loadAlternates(context, object.type, object.id);
  if (!links) return null;
  const own = new Set([keyOf(permalink), ...links.filter(isIn(locale)).map(({ href }) => keyOf(href))]);
  const others = links.filter(({ href }) => !own.has(keyOf(href)));
  const isLinked = others.length < links.length;
  const pages = pageSearchOf(context);
  const fields = await Promise.all(others.map(({ href }) => findFields(pages, keyOf(href))));
  return others.map(({ hreflang, href }, index) => ({
    language: hreflang,
    reciprocal: isLinked && isReadForItself(fields[index] ?? null, keyOf(href)),
  }));
}

/** Returns whether a link is to the page of a language: `de`, or `de-AT`, for `de-AT`. */
function isIn(locale: string): (link: AlternateLink) => boolean {
  const tag = locale.toLowerCase();
  const [language] = tag.split('-');
  return ({ hreflang }) => [tag, language].includes(hreflang.toLowerCase());
}

/** Returns the SEO fields of the object at a URL, in its language. */
async function findFields(pages: PageSearch, address: string | null): Promise<StoredSeoRecord | null> {
  const [found] = address === null ? [] : await pages.byAddress.load(address);
  return found?.languageTag ? pages.fieldsOf.load({ locale: found.languageTag, key: found.objectId }) : null;
}

function isReadForItself(fields: StoredSeoRecord | null, address: string | null): boolean {
  if (fields?.noindex) return false;
  const canonical = fields?.canonicalUrl ?? null;
  return canonical === null || keyOf(canonical) === address;
}

function keyOf(url: string): string | null {
  const address = toPageAddress(url);
  return address && toAddressKey(address);
}
